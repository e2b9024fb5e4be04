/** A stored result versus fresh ones: has something become slower? */
package io.microbatch.bench.regress;
