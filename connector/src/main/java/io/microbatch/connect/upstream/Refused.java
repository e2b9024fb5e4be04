package io.microbatch.connect.upstream;

import org.apache.kafka.connect.errors.ConnectException;

/**
 * A record of an upstream that cannot be sent as it is, for example because its payload was too large to be read. A
 * source record implements it. With dead letters it becomes one. Otherwise it fails the task.
 */
public interface Refused {

    /** Why it cannot be sent. Not a retriable exception: the record would not be read again. Reader thread. */
    ConnectException why();

    /** Whether it has all of the event, so that its dead letter may have all of it too. Reader thread. */
    boolean isWhole();
}
