package io.microbatch.connect.upstream.hosted;

import io.microbatch.connect.ack.EventRecord;

/**
 * How a hosted task learns what Kafka has. Reader thread. What a hosted task throws from these calls is logged and
 * swallowed, as Connect does.
 */
interface Confirmation {

    /** Connect is done with this event and all before it. */
    void settled(EventRecord event) throws InterruptedException;

    /** What was settled before this time is durable, source offset included; Connect has committed so often. */
    void committed(long durableBeforeNanos, long commits) throws InterruptedException;
}
