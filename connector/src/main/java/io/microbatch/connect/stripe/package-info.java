/**
 * Stripes: bounded single-producer single-consumer queues and the wake-ups between their threads. A stripe drops and
 * reorders nothing. If it has no room, it reports this and the reader thread waits.
 *
 * <p>A <em>reader thread</em> owns one {@link io.microbatch.connect.stripe.StripeWriter}. The <em>consumer</em>, the
 * task thread, owns the {@link io.microbatch.connect.stripe.StripeSet}. Any thread may read {@link
 * io.microbatch.connect.stripe.StripeProgress}. {@link io.microbatch.connect.stripe.OwnedBy} on a field names the only
 * thread that writes it.
 *
 * <h2>How to read an access</h2>
 *
 * Methods whose first word is the memory ordering access each field that threads share:
 *
 * <ul>
 *   <li>{@code plainX}: no ordering. Only the owner of the field, which is its only writer, reads it this way.
 *   <li>{@code opaqueX}: the access is atomic and becomes visible eventually, but orders no other access. It is used
 *       for counters in metrics, and for flags that a fence orders.
 *   <li>{@code acquireX}: a read. What the other thread did before its matching release is visible after it.
 *   <li>{@code releaseX}: a write. What this thread did before it is visible to a thread that acquires it.
 *   <li>{@code casX}: compare and set, with the ordering of a volatile access.
 * </ul>
 *
 * A field without such methods is private to its owner. A method with an argument writes; a method without one reads.
 */
package io.microbatch.connect.stripe;
