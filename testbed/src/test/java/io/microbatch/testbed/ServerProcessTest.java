package io.microbatch.testbed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerProcessTest {

    private static final Duration LIMIT = Duration.ofSeconds(30);

    @TempDir
    private Path directory;

    private ServerProcess shell(String command) {
        return new ServerProcess("command", List.of("/bin/sh", "-c", command), directory);
    }

    /** Such a command may have ended before anybody looks. */
    @Test
    void runsACommandThatEndsAtOnce() {
        for (int run = 0; run < 50; run++) {
            assertThatCode(() -> shell("exit 0").run(LIMIT)).doesNotThrowAnyException();
        }
    }

    @Test
    void saysThatACommandHasFailed() {
        assertThatThrownBy(() -> shell("echo no such file; exit 3").run(LIMIT))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("ended with code 3")
                .hasMessageContaining("no such file");
    }

    @Test
    void freezesAndThawsAProcess() {
        assumeTrue(Files.exists(Path.of("/proc/self/stat")), "SKIPPED: no /proc, so nobody sees a frozen process");
        ServerProcess sleeping = shell("while true; do sleep 1; done");
        sleeping.start(LIMIT, () -> true);
        try {
            sleeping.freeze();
            Await.until("stopped", LIMIT, () -> state(sleeping).equals("T"), () -> state(sleeping));
            sleeping.thaw();
            Await.until("running", LIMIT, () -> !state(sleeping).equals("T"), () -> state(sleeping));
            assertThat(sleeping.isAlive()).isTrue();
        } finally {
            sleeping.kill();
        }
    }

    /** Behind the name of the program, which is in brackets. */
    private static String state(ServerProcess process) {
        try {
            String stat = Files.readString(Path.of("/proc/" + process.pid() + "/stat"));
            return stat.substring(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
