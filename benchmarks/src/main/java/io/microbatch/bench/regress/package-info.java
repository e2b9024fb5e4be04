/** Compares a stored result with fresh ones, to find what has become slower. */
package io.microbatch.bench.regress;
