/** Bulk records through a worker, versus producers of the same events and versus single records. */
package io.microbatch.bench.bulk;
