/**
 * Packs contiguous events of one source partition into bulk records, each of which carries the source offset of its last
 * event and settles all of them when it is acknowledged. Task thread only.
 */
package io.microbatch.connect.packing;
