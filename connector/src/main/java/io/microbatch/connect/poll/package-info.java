/** Waits until a batch is ready and assembles it. Task thread only. */
package io.microbatch.connect.poll;
