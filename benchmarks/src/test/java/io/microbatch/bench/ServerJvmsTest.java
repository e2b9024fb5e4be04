package io.microbatch.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ServerJvmsTest {

    private static final List<String> WORKER = List.of(
            "-Dlog4j2.configurationFile=x",
            "-Xmx512m",
            "-XX:MaxGCPauseMillis=20",
            "-Xms2g",
            "-Xmx2g",
            "-XX:+UseG1GC",
            "-cp",
            "libs/*",
            "org.apache.kafka.connect.cli.ConnectDistributed",
            "worker.properties");

    @Test
    void knowsAServerByItsMainClass() {
        assertThat(ServerJvms.nameOf(WORKER)).contains("worker");
        assertThat(ServerJvms.nameOf(List.of("-Xmx512m", "kafka.Kafka", "x"))).contains("broker");
        assertThat(ServerJvms.nameOf(List.of("-Xmx512m", "io.microbatch.bench.outbox.peer.RelayServer", "x")))
                .contains("relays");
        assertThat(ServerJvms.nameOf(List.of("-D", "/data/postgres"))).isEmpty();
    }

    @Test
    void ofTwoHeapsTheLaterOneCounts() {
        assertThat(ServerJvms.options(WORKER)).isEqualTo("-Xmx2g -XX:MaxGCPauseMillis=20 -Xms2g -XX:+UseG1GC");
    }

    @Test
    void namesTheHeapOfThisProcess() {
        assertThat(ServerJvms.running()).containsKey("bench").doesNotContainKeys("worker", "broker");
    }
}
