package io.microbatch.testbed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BrokerAndWorkerIT {

    private static final String FILE_SOURCE = "org.apache.kafka.connect.file.FileStreamSourceConnector";

    private static WorkDirectory work;
    private static TestbedHome home;
    private static Broker broker;

    /** The workers, by whether they deliver exactly once. Each is started at its first use. */
    private static final Map<Boolean, ConnectWorker> WORKERS = new HashMap<>();

    @BeforeAll
    static void startBroker() {
        work = WorkDirectory.create("testbed-it");
        home = TestbedHome.locate();
        broker = Broker.start(home, work.path());
    }

    @AfterAll
    static void stopBroker() {
        WORKERS.values().forEach(ConnectWorker::close);
        broker.close();
        work.close();
        assertThat(work.path()).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void copiesAFileLineIntoTheTopic(boolean exactlyOnce) throws Exception {
        String topic = "lines-" + exactlyOnce;
        Path file = Files.writeString(work.path().resolve(topic + ".txt"), "first\n");
        ConnectWorker worker = worker(exactlyOnce);
        assertThat(worker.rest().plugins()).contains(FILE_SOURCE, "io.debezium.connector.postgresql.PostgresConnector");
        worker.rest().create("lines", config(topic, file));
        worker.rest().awaitRunning("lines", 1);
        awaitLines(topic, List.of("\"first\""));

        worker.kill();
        Files.writeString(file, "first\nsecond\n");
        worker.restart();
        worker.awaitRunning("lines", 1);
        assertThat(worker.jmx().number("kafka.connect:type=connect-worker-metrics", "task-count"))
                .hasValue(1);
        Await.until(
                "second line",
                Duration.ofSeconds(30),
                () -> lines(topic).contains("\"second\""),
                () -> lines(topic).toString());
        if (exactlyOnce) {
            assertThat(lines(topic)).containsExactly("\"first\"", "\"second\"");
        }

        worker.rest().stop("lines");
        worker.rest().awaitState("lines", "STOPPED");
        worker.rest().resetOffsets("lines");
        assertThat(worker.rest().offsets("lines").path("offsets")).isEmpty();
        worker.rest().delete("lines");
    }

    @Test
    void reportsWhyTheWorkerRefusesAConfiguration() {
        ConnectRest rest = worker(false).rest();
        ConfigValidation validation = rest.validate(FILE_SOURCE, Map.of("file", "x"));
        assertThat(validation.isValid()).isFalse();
        assertThat(validation.errors()).containsKey("topic");
        assertThatThrownBy(() -> rest.create("bad", Map.of("connector.class", FILE_SOURCE)))
                .isInstanceOf(ConnectRestException.class)
                .hasMessageContaining("topic");
    }

    @Test
    void runsAPostgresThatCommitsDurably() throws Exception {
        try (WorkDirectory own = WorkDirectory.create("testbed-it-pg");
                PostgresServer postgres = PostgresServer.start(own.path())) {
            assertThat(postgres.setting("wal_level")).isEqualTo("logical");
            assertThat(postgres.setting("fsync")).isEqualTo("on");
            assertThat(postgres.setting("synchronous_commit")).isEqualTo("on");
        }
    }

    private static ConnectWorker worker(boolean exactlyOnce) {
        return WORKERS.computeIfAbsent(
                exactlyOnce,
                wanted -> ConnectWorker.builder(home, work.path(), broker.bootstrapServers())
                        .exactlyOnce(wanted)
                        .jvmOption("-Xmx256m")
                        .start());
    }

    private static Map<String, String> config(String topic, Path file) {
        return Map.of("connector.class", FILE_SOURCE, "tasks.max", "1", "topic", topic, "file", file.toString());
    }

    private static void awaitLines(String topic, List<String> expected) {
        Await.until(
                expected + " in " + topic,
                Duration.ofSeconds(30),
                () -> lines(topic).equals(expected),
                () -> lines(topic).toString());
    }

    private static List<String> lines(String topic) {
        return new TopicReader(broker.bootstrapServers())
                .readCommitted(topic).stream()
                        .map(record -> new String(record.value(), StandardCharsets.UTF_8))
                        .toList();
    }
}
