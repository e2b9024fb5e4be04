/**
 * The {@code bench upgrade} command: exchanges the archive of an older commit and today's on workers that run, in both
 * directions, and checks every event and what is left of what the tasks have learned.
 */
package io.microbatch.bench.upgrade;
