package io.microbatch.testbed.failpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.testbed.TestbedHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FailpointControlTest {

    @TempDir
    private Path directory;

    private FailpointControl control;

    @BeforeEach
    void createControl() throws IOException {
        Path agents = Files.createDirectories(directory.resolve("agent"));
        Files.createFile(agents.resolve("any-failpoint-agent.jar"));
        control = new FailpointControl(new TestbedHome(directory), directory.resolve("control"));
    }

    @Test
    void seesTheHitOfTheArmedPoint() throws IOException {
        control.arm(Failpoint.BEFORE_POLL_RETURNS, FailpointAction.SWAP, 1);
        assertThat(control.wasHit()).isFalse();

        report(armed());

        assertThat(control.wasHit()).isTrue();
    }

    @Test
    void ignoresALateReportOfAnEarlierArming() throws IOException {
        control.arm(Failpoint.BEFORE_POLL_RETURNS, FailpointAction.SWAP, 1);
        String earlier = armed();
        control.disarm();
        control.arm(Failpoint.BEFORE_POLL_RETURNS, FailpointAction.SWAP, 1);

        report(earlier);

        assertThat(control.wasHit()).isFalse();
    }

    private String armed() throws IOException {
        return Files.readString(directory.resolve("control").resolve(Failpoints.ARMED_FILE));
    }

    private void report(String line) throws IOException {
        Files.writeString(directory.resolve("control").resolve(Failpoints.HIT_FILE), line);
    }
}
