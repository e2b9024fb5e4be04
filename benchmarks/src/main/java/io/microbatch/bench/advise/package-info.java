/** The console's advice on the bench's command line. */
package io.microbatch.bench.advise;
