/** What measures a Kafka and Connect workers that run already, such as those of the compose file. */
package io.microbatch.bench.cluster;
