package io.microbatch.connect.upstream;

import java.util.Arrays;

/**
 * Interrupts a thread that waits in an upstream, unless the upstream would not notice. Kafka's {@code Utils.sleep}, and
 * {@code Time.sleep} with it, ends at an interruption without an exception and sets the flag again. Every later wait of
 * the thread then ends immediately. A poll that sleeps in a loop until its next query is due, as that of Confluent's
 * JDBC connector, would use a processor until then. Stateless; any thread.
 */
final class Interruption {

    private Interruption() {}

    /** Interrupts the thread, unless it is in Kafka's sleep. */
    static void send(Thread thread) {
        if (!isInKafkasSleep(thread)) {
            thread.interrupt();
        }
    }

    private static boolean isInKafkasSleep(Thread thread) {
        return Arrays.stream(thread.getStackTrace())
                .anyMatch(frame -> frame.getClassName().equals("org.apache.kafka.common.utils.Utils")
                        && frame.getMethodName().equals("sleep"));
    }
}
