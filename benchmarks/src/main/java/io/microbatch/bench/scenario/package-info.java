/** Situations that a source connector meets, each a benchmark of its own. */
package io.microbatch.bench.scenario;
