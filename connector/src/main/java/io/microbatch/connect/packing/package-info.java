/**
 * Packs consecutive events of one source partition into bulk records. A bulk record has the source offset of its last
 * event, and its acknowledgement settles all its events. Task thread only.
 */
package io.microbatch.connect.packing;
