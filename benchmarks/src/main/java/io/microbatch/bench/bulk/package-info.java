/** Bulk records through a worker, beside producers of the same events and beside single records. */
package io.microbatch.bench.bulk;
