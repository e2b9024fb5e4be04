package io.microbatch.connect.upstream.hosted;

import io.microbatch.connect.ack.SettledEvent;
import io.microbatch.connect.upstream.Progress;

/**
 * Notifies a hosted task of what Kafka has. Called on the thread that has the turn. Exceptions of the hosted task are
 * logged and swallowed, as Connect does.
 */
interface Confirmation {

    /** Connect is done with this event and all before it. */
    void settled(SettledEvent event);

    /** Reports how far Connect is, after the settled events of a round. */
    void committed(Progress progress);
}
