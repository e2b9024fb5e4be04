/**
 * Decides when a batch is ripe and puts it together. Task thread only.
 */
package io.microbatch.connect.poll;
