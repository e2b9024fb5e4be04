package io.microbatch.connect.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.it.Cluster.Mode;
import io.microbatch.testbed.ConnectWorker;
import io.microbatch.testbed.failpoint.Failpoint;
import io.microbatch.testbed.failpoint.FailpointAction;
import io.microbatch.testbed.failpoint.FailpointControl;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Exactly the events that cannot be delivered are in the dead letter topic. All others are in their own topic. */
@ExtendWith(Cluster.Shared.class)
class DeadLetterIT {

    private static final int LIMIT = 20_000;

    private final Cluster cluster;

    DeadLetterIT(Cluster cluster) {
        this.cluster = cluster;
    }

    private static Map<String, String> config(Lines lines) {
        Map<String, String> more = new HashMap<>();
        more.put("key.converter", Lines.BYTES);
        more.put("header.converter", Lines.BYTES);
        more.put("deadletter.topic", dead(lines));
        more.put("deadletter.key.converter", Lines.STRING);
        // In a plugin directory of its own, like a plugin of another vendor.
        more.put("deadletter.value.converter", Lines.TEST_CONVERTER);
        more.put("producer.override.max.request.size", Integer.toString(LIMIT));
        return lines.config(Lines.BYTES, more);
    }

    private static String dead(Lines lines) {
        return lines.name() + ".dead";
    }

    private static String header(ConsumerRecord<byte[], byte[]> deadLetter, String name) {
        Header header = deadLetter.headers().lastHeader("__connect.errors." + name);
        return header == null ? "absent" : new String(header.value(), StandardCharsets.UTF_8);
    }

    private static List<String> values(List<ConsumerRecord<byte[], byte[]>> deadLetters) {
        return deadLetters.stream()
                .map(deadLetter -> new String(deadLetter.value(), StandardCharsets.UTF_8))
                .toList();
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void sendsPoisonedEventsToTheDeadLetterTopicAndContinuesAfterThem(Mode mode) {
        Lines lines = new Lines(cluster, mode, "deadletter");
        List<String> written = new ArrayList<>(Lines.numbered(0, 6_000, 0, 999, 2_000, 2_001, 5_999));
        lines.append(written);
        lines.rest().create(lines.name(), config(lines));
        lines.awaitDelivered(5_995);
        lines.awaitMetric("dead-letter-total", 5);

        // Written after a last event that is a dead letter.
        lines.rest().stop(lines.name());
        lines.rest().awaitState(lines.name(), "STOPPED");
        lines.append(Lines.numbered(6_000, 1_000, 6_500));
        written.addAll(Lines.numbered(6_000, 1_000, 6_500));
        lines.rest().resume(lines.name());
        lines.awaitDelivered(6_994);
        lines.awaitMetric("dead-letter-total", 1);

        List<String> poisoned = new ArrayList<>(written);
        poisoned.removeIf(line -> line.startsWith("line"));
        written.removeAll(poisoned);
        assertThat(lines.delivered()).as("once, in order").isEqualTo(written);
        List<ConsumerRecord<byte[], byte[]>> deadLetters = lines.records(dead(lines));
        assertThat(values(deadLetters)).as("once, in order").isEqualTo(poisoned);
        assertThat(deadLetters).allSatisfy(deadLetter -> {
            assertThat(header(deadLetter, "topic")).isEqualTo(lines.name());
            assertThat(header(deadLetter, "connector.name")).isEqualTo(lines.name());
            assertThat(header(deadLetter, "stage")).isEqualTo("VALUE_CONVERTER");
            assertThat(header(deadLetter, "exception.message")).startsWith("cannot convert poison");
            assertThat(header(deadLetter, "source.offset")).contains("position");
        });
        assertThat(lines.metric("skipped-total")).as("nothing was skipped").isZero();
        lines.rest().delete(lines.name());
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void deliversEachEventToOneOfTheTwoTopicsWhenTheWorkerIsKilled(Mode mode) {
        int count = 20_000;
        List<String> sound = new ArrayList<>(Lines.numbered(0, count));
        List<String> poisoned = new ArrayList<>();
        for (int i = 0; i < count; i += 50) {
            poisoned.add("poison " + i);
        }
        List<String> written = new ArrayList<>(sound);
        poisoned.forEach(line -> written.set(Integer.parseInt(line.substring(7)), line));
        sound.retainAll(new HashSet<>(written));
        FailpointControl failpoints = cluster.failpoints("deadletter-kill-" + mode.suffix());
        try (ConnectWorker worker = cluster.worker(mode, "deadletter-kill-" + mode.suffix())
                .jvmOption(failpoints.jvmOption())
                .start()) {
            Lines lines = new Lines(cluster, mode, "deadletter-kill", worker);
            Map<String, String> config = config(lines);
            config.put("batch.mode", "fixed");
            config.put("batch.max.records", "200");
            lines.append(written);
            failpoints.arm(Failpoint.BEFORE_POLL_RETURNS, FailpointAction.HALT, 20);
            lines.rest().create(lines.name(), config);
            cluster.awaitHalt(worker, failpoints);
            assertThat(lines.records(lines.name())).hasSizeLessThan(sound.size());
            worker.restart();
            lines.awaitDelivered(sound.size());
            lines.awaitLast(sound.get(sound.size() - 1));
            // Dead letters have no order relative to events: the last of them may not have arrived yet.
            lines.rest().stop(lines.name());
            lines.rest().awaitState(lines.name(), "STOPPED");

            List<String> deadLetters = values(lines.records(dead(lines)));
            assertThat(List.copyOf(new LinkedHashSet<>(lines.delivered()))).isEqualTo(sound);
            assertThat(List.copyOf(new LinkedHashSet<>(deadLetters))).isEqualTo(poisoned);
            if (mode == Mode.EXACTLY_ONCE) {
                assertThat(lines.delivered()).hasSameSizeAs(sound);
                assertThat(deadLetters).hasSameSizeAs(poisoned);
            }
            lines.rest().delete(lines.name());
        }
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void failsWithoutADeadLetterWhenAReaderRunsOutOfMemory(Mode mode) {
        Lines lines = new Lines(cluster, mode, "deadletter-memory");
        List<String> written = Lines.withMemoryRunningOut();
        lines.append(written);
        lines.rest().create(lines.name(), config(lines));

        assertThat(lines.rest().awaitTaskFailed(lines.name())).contains("OutOfMemoryError");
        assertThat(cluster.worker(mode).isAlive()).isTrue();
        assertThat(lines.delivered()).as("the events before it are delivered").isEqualTo(written.subList(0, 500));
        assertThat(lines.records(dead(lines))).isEmpty();

        lines.rest().put(lines.name(), lines.config(Lines.STRING, Map.of()));
        lines.awaitDelivered(written.size());
        assertThat(lines.delivered()).isEqualTo(written);
        lines.rest().delete(lines.name());
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void stampsEventsAndDeadLetters(Mode mode) {
        Lines lines = new Lines(cluster, mode, "deadletter-stamp");
        // The second event is small enough before the transform stamps it. Its dead letter is cut so that it fits after
        // the stamp.
        lines.append(List.of("line 0", "x".repeat(LIMIT - Lines.OVERHEAD_BYTES), "poison 2", "line 3"));
        Map<String, String> config = config(lines);
        config.put("header.converter", "io.microbatch.connect.transforms.MixedHeaderConverter");
        config.put("transforms", "stamp");
        config.put("transforms.stamp.type", "io.microbatch.connect.transforms.StampPressure");
        lines.rest().create(lines.name(), config);
        lines.awaitDelivered(2);
        lines.awaitLast("line 3");
        lines.awaitMetric("dead-letter-total", 2);
        lines.rest().stop(lines.name());
        lines.rest().awaitState(lines.name(), "STOPPED");

        assertThat(lines.delivered()).containsExactly("line 0", "line 3");
        List<ConsumerRecord<byte[], byte[]>> deadLetters = lines.records(dead(lines));
        assertThat(deadLetters)
                .extracting(deadLetter -> header(deadLetter, "stage"))
                .containsExactly("KAFKA_PRODUCE", "VALUE_CONVERTER");
        deadLetters.addAll(lines.records(lines.name()));
        assertThat(deadLetters).allSatisfy(record -> {
            Header arrival = record.headers().lastHeader("microbatch.arrival.ms");
            assertThat(new String(arrival.value(), StandardCharsets.UTF_8)).matches("[0-9]{13}");
        });
        lines.rest().delete(lines.name());
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void sendsAnEventThatIsOneByteTooLargeToTheDeadLetterTopic(Mode mode) {
        Lines lines = new Lines(cluster, mode, "deadletter-size");
        String justFits = "x".repeat(LIMIT - Lines.OVERHEAD_BYTES);
        List<String> fits = List.of("before", justFits.substring(1), justFits, "after");
        lines.append(fits.subList(0, 3));
        lines.append(List.of(justFits + "x", "y".repeat(100_000)));
        lines.append(fits.subList(3, 4));
        lines.rest().create(lines.name(), config(lines));
        lines.awaitDelivered(4);
        lines.awaitMetric("dead-letter-total", 2);
        // It counts when an event is converted. A task that has stopped has sent its dead letters.
        lines.rest().stop(lines.name());
        lines.rest().awaitState(lines.name(), "STOPPED");

        assertThat(lines.delivered()).isEqualTo(fits);
        List<ConsumerRecord<byte[], byte[]>> deadLetters = lines.records(dead(lines));
        assertThat(deadLetters).hasSize(2).allSatisfy(deadLetter -> {
            assertThat(header(deadLetter, "stage")).isEqualTo("KAFKA_PRODUCE");
            assertThat(header(deadLetter, "exception.class.name")).endsWith(".RecordTooLargeException");
        });
        assertThat(header(deadLetters.get(0), "value.bytes")).isEqualTo(Integer.toString(justFits.length() + 1));
        assertThat(header(deadLetters.get(1), "value.bytes")).isEqualTo("100000");
        assertThat(values(deadLetters).get(1)).matches("y{10000,20000}");
        lines.rest().delete(lines.name());
    }
}
