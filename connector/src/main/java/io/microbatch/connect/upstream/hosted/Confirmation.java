package io.microbatch.connect.upstream.hosted;

import io.microbatch.connect.ack.SettledEvent;
import io.microbatch.connect.upstream.Progress;

/**
 * How a hosted task learns what Kafka has. On the thread that has the turn. What a hosted task throws from
 * these calls is logged and swallowed, as Connect does.
 */
interface Confirmation {

    /** Connect is done with this event and all before it. */
    void settled(SettledEvent event);

    /** How far Connect is, after the settled events of a round. */
    void committed(Progress progress);
}
