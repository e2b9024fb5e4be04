/** What the outbox upstream is compared with: relays that poll the table, in a process of their own. */
package io.microbatch.bench.outbox.peer;
