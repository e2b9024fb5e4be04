/**
 * What a scenario is run with: a workload (what is sent) and a driver (how it is delivered), each a YAML file, so that
 * any pair combines, as in OpenMessaging's benchmark.
 */
package io.microbatch.bench.profile;
