/** Many connectors with few events each on one worker: what a task costs when it works and when it is idle. */
package io.microbatch.bench.fleet;
