/**
 * Stripes: bounded rings with one producer and one consumer each, and the wake-ups between them. Nothing is dropped and
 * nothing is reordered inside a stripe; a stripe that has no room answers so, and the reader waits.
 *
 * <p>Two kinds of thread meet here. A <em>reader thread</em> owns one {@link
 * io.microbatch.connect.stripe.StripeWriter}; the <em>consumer</em>, the task thread, owns the {@link
 * io.microbatch.connect.stripe.StripeSet}. {@link io.microbatch.connect.stripe.StripeProgress} is for everybody else.
 * {@link io.microbatch.connect.stripe.OwnedBy} on a field names the one thread that writes it.
 *
 * <h2>How to read an access</h2>
 *
 * A field that two threads share is touched through methods whose first word is the memory ordering:
 *
 * <ul>
 *   <li>{@code plainX}: no ordering. Only the owner of the field reads it so: it is the last one who wrote it.
 *   <li>{@code opaqueX}: the access happens, whole, and is seen in the end; it orders nothing around it. For counters
 *       that are only looked at, and for flags whose ordering comes from a fence next to them.
 *   <li>{@code acquireX}: a read; what the other thread did before its matching release is visible after it.
 *   <li>{@code releaseX}: a write; everything done before it is visible to a thread that acquires it.
 *   <li>{@code casX}: compare and set, with the ordering of a volatile access.
 * </ul>
 *
 * A field without such methods is private to its owner. A method with an argument writes, one without reads.
 */
package io.microbatch.connect.stripe;
