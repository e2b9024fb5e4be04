/**
 * The bench: one launcher, one subcommand per question. Every subcommand takes {@code --json FILE} and exits with a
 * code other than 0 when what it measured does not verify.
 */
package io.microbatch.bench;
