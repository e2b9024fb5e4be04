package io.microbatch.testbed;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;

/** Sends signals that {@link Process} cannot send, by the shell itself: a program {@code kill} may be missing. */
final class Signals {

    private static final Duration LIMIT = Duration.ofSeconds(5);

    private Signals() {}

    static void send(String signal, long pid) {
        try {
            Process kill = new ProcessBuilder("sh", "-c", "kill -s \"$0\" \"$1\"", signal, Long.toString(pid))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (!Await.reached(LIMIT, () -> !kill.isAlive()) || kill.exitValue() != 0) {
                kill.destroyForcibly();
                throw new IllegalStateException("SIG" + signal + " did not reach process " + pid);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
