/**
 * The slow loop: learns the best maximum records (N) and linger (T) of each pressure level from observed windows. Pure:
 * windows in, targets out; no I/O, no clock but the windows' own times, and the caller passes the random generator.
 *
 * <p>A trial lasts one window. Its score is compared with the windows of the best known setting immediately before and
 * after it, and must differ from both. A change of the machine or of the rate over minutes affects all three windows
 * equally and cancels out; an absolute score would attribute it to the setting.
 */
package io.microbatch.connect.learning;
