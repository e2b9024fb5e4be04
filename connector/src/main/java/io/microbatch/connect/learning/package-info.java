/**
 * The slow loop: from observed windows to the best batch target N and linger T of each pressure level. Pure: windows in,
 * targets out; no I/O, no clock but the windows' own times, and a random generator that is passed in.
 *
 * <p>A trial lasts one window and is compared with the windows of the best known setting right before and after it, and
 * has to be better or worse than both. What a machine or a rate does over minutes hits all three alike and cancels out,
 * where an absolute score would take it for a merit of the setting.
 */
package io.microbatch.connect.learning;
