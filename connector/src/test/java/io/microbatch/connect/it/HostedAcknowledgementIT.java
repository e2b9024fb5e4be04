package io.microbatch.connect.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.it.Cluster.Mode;
import io.microbatch.testbed.Await;
import io.microbatch.testbed.ConnectRest;
import io.microbatch.testbed.reference.QueueServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Hosted tasks whose source discards acknowledged messages, on real workers. Each test is a way of acknowledging that
 * relies on the order in which Connect calls a task.
 */
@ExtendWith(Cluster.Shared.class)
class HostedAcknowledgementIT {

    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private final Cluster cluster;
    private final QueueServer queues = QueueServer.start();

    HostedAcknowledgementIT(Cluster cluster) {
        this.cluster = cluster;
    }

    @AfterEach
    void close() {
        queues.close();
    }

    /** A reference connector with a queue of its own. Batches are small, so that the events of a poll span several. */
    private Map<String, String> config(String name, String... settings) {
        Map<String, String> config = new HashMap<>();
        config.put("connector.class", Cluster.CONNECTOR);
        config.put("tasks.max", "1");
        config.put("upstream.connector.class", "io.microbatch.testbed.reference.ReferenceConnector");
        config.put("upstream.connector.queue.address", queues.address());
        config.put("upstream.connector.queue.name", name);
        config.put("upstream.connector.topic", name);
        config.put("calibration.directory", cluster.calibrationDirectory().toString());
        config.put("key.converter", "org.apache.kafka.connect.storage.StringConverter");
        config.put("value.converter", "org.apache.kafka.connect.storage.StringConverter");
        config.put("batch.mode", "fixed");
        config.put("batch.max.records", "10");
        config.put("batch.linger.ms", "5");
        for (int i = 0; i < settings.length; i += 2) {
            config.put(settings[i], settings[i + 1]);
        }
        return config;
    }

    private void put(String name, int messages) {
        for (int i = 0; i < messages; i++) {
            queues.put(name + "-0", "m" + i);
        }
    }

    private void awaitAcknowledged(String name, long atLeast) {
        Await.until(
                atLeast + " acknowledged messages",
                PATIENCE,
                () -> queues.acknowledged(name + "-0") >= atLeast,
                () -> queues.acknowledged(name + "-0") + " of " + queues.size(name + "-0"));
    }

    /** The number of records per value in the topic, for consumers with {@code read_committed}. */
    private Map<String, Long> delivered(String topic) {
        cluster.reader().awaitStable(topic, PATIENCE);
        return cluster.reader().readCommitted(topic).stream()
                .map(record -> new String(record.value(), StandardCharsets.UTF_8))
                .collect(Collectors.groupingBy(value -> value, LinkedHashMap::new, Collectors.counting()));
    }

    private static Set<String> messages(int count) {
        return java.util.stream.IntStream.range(0, count).mapToObj(i -> "m" + i).collect(Collectors.toSet());
    }

    /**
     * The queue discards acknowledged messages. So a message whose transaction is not committed at a kill would be
     * lost.
     */
    @ParameterizedTest
    @EnumSource
    void losesNothingOfATaskThatAcknowledgesAllPolledEventsOnCommit(Mode mode) {
        String name = "acknowledges-on-commit-" + mode.suffix();
        put(name, 2_000);
        queues.keepFull(name + "-0", true);
        ConnectRest rest = cluster.rest(mode);
        rest.create(name, config(name, "upstream.connector.acknowledge", "commit"));
        awaitAcknowledged(name, 1);
        cluster.kill(mode);
        queues.keepFull(name + "-0", false);
        int count = Math.toIntExact(queues.size(name + "-0"));
        Set<String> inKafka = delivered(name).keySet();
        assertThat(inKafka)
                .as("the messages that the queue has discarded")
                .containsAll(messages(Math.toIntExact(queues.acknowledged(name + "-0"))));
        cluster.worker(mode).restart();
        awaitAcknowledged(name, count);
        cluster.rest(mode).stop(name);
        assertThat(delivered(name).keySet()).isEqualTo(messages(count));
    }

    /**
     * Under exactly-once a worker acknowledges none of the events of a batch that transforms have filtered completely.
     */
    @ParameterizedTest
    @EnumSource
    void continuesWhenEverythingIsFilteredAndTheSourceAsksForRetries(Mode mode) {
        String name = "filtered-retries-" + mode.suffix();
        put(name, 60);
        ConnectRest rest = cluster.rest(mode);
        rest.create(
                name,
                config(
                        name,
                        "upstream.connector.acknowledge",
                        "commit",
                        "upstream.connector.disturbed",
                        "true",
                        "upstream.connector.batch.max",
                        "5",
                        "transforms",
                        "drop",
                        "transforms.drop.type",
                        "org.apache.kafka.connect.transforms.Filter"));
        awaitAcknowledged(name, 60);
        rest.delete(name);
    }

    /** The second poll of the task waits for the acknowledgement of the events of the first. */
    @ParameterizedTest
    @EnumSource
    void servesATaskWhoseNextPollWaitsForAcknowledgements(Mode mode) {
        String name = "waits-for-acknowledgements-" + mode.suffix();
        int count = 60;
        put(name, count);
        ConnectRest rest = cluster.rest(mode);
        rest.create(
                name,
                config(
                        name,
                        "upstream.connector.acknowledge",
                        "record",
                        "upstream.connector.await.batch.ms",
                        "600000",
                        "upstream.connector.batch.max",
                        "5"));
        awaitAcknowledged(name, count);
        rest.stop(name);
        Map<String, Long> delivered = delivered(name);
        assertThat(delivered.keySet()).isEqualTo(messages(count));
        assertThat(delivered.values()).containsOnly(1L);
    }

    /**
     * A queue delivers no more than its limit of unacknowledged messages, and its client waits for the next message.
     */
    @ParameterizedTest
    @EnumSource
    void servesATaskThatTakesFromAQueueWithAPrefetchLimit(Mode mode) {
        String name = "prefetch-" + mode.suffix();
        int count = 16;
        put(name, count);
        ConnectRest rest = cluster.rest(mode);
        rest.create(
                name,
                config(
                        name,
                        "upstream.connector.acknowledge",
                        "commit",
                        "upstream.connector.poll.blocks",
                        "true",
                        "upstream.connector.prefetch",
                        "4",
                        "upstream.connector.batch.max",
                        "1"));
        awaitAcknowledged(name, count);
        rest.stop(name);
        assertThat(delivered(name).keySet()).isEqualTo(messages(count));
    }

    /** At the end of nearly every poll a transaction is open, and the queue sends no more than 32 messages ahead. */
    @Test
    void servesATaskWhoseTransactionsEndWithinItsPolls() {
        String name = "commits-within-polls";
        int count = 210;
        put(name, count);
        ConnectRest rest = cluster.rest(Mode.EXACTLY_ONCE);
        rest.create(
                name,
                config(
                        name,
                        "transaction.boundary",
                        "connector",
                        "upstream.connector.boundary.every",
                        "7",
                        "upstream.connector.boundary.at",
                        "record",
                        "upstream.connector.acknowledge",
                        "commit",
                        "upstream.connector.prefetch",
                        "32",
                        "upstream.connector.batch.max",
                        "10"));
        awaitAcknowledged(name, count);
        rest.stop(name);
        Map<String, Long> delivered = delivered(name);
        assertThat(delivered.keySet()).isEqualTo(messages(count));
        assertThat(delivered.values()).containsOnly(1L);
    }
}
