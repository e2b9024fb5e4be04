/** A stored result beside fresh ones: has something become slower? */
package io.microbatch.bench.regress;
