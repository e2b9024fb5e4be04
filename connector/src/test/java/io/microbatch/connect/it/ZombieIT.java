package io.microbatch.connect.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.it.Cluster.Mode;
import io.microbatch.testbed.Await;
import io.microbatch.testbed.ConnectRest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A hosted connector hangs in each of its calls. The worker, its other connectors and the successor keep working. */
@ExtendWith(Cluster.Shared.class)
class ZombieIT {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Cluster cluster;

    ZombieIT(Cluster cluster) {
        this.cluster = cluster;
    }

    @ParameterizedTest
    @CsvSource({
        "start, EXACTLY_ONCE",
        "poll, EXACTLY_ONCE",
        "commitRecord, EXACTLY_ONCE",
        "commit, AT_LEAST_ONCE",
        "stop, AT_LEAST_ONCE"
    })
    void stopsInTimeAndItsSuccessorWaitsForThePortAndContinues(String call, Mode mode) {
        String name = "zombie-" + call.toLowerCase(java.util.Locale.ROOT);
        StubbornPlugin stubborn = new StubbornPlugin(cluster.directory().resolve(name), name);
        ConnectRest rest = cluster.rest(mode);
        if (call.equals("start")) {
            stubborn.hang(call);
        }
        rest.create(name, stubborn.hosted(cluster.calibrationDirectory()));
        cluster.worker(mode).awaitRunning(name, 1);
        if (!call.equals("start")) {
            awaitRecords(name, 20);
            stubborn.hang(call);
        }
        if (!call.equals("stop")) {
            stubborn.awaitHanging(call);
        }

        rest.stop(name);
        rest.awaitState(name, "STOPPED");
        stubborn.awaitHanging(call);
        assertThat(log(mode, name, "Graceful stop of task")).isEmpty();
        assertThat(log(mode, name, "is abandoned")).hasSize(1);

        rest.resume(name);
        Await.until(
                "the log line of the successor that waits",
                PATIENCE,
                () -> !log(mode, name, "cannot be opened yet").isEmpty(),
                () -> stubborn.journal().toString());
        assertThat(rest.status(name).hasFailed()).isFalse();
        long before = records(name).size();
        List<String> whileItHung = stubborn.journal();
        stubborn.release(call);
        awaitRecords(name, before + 20);
        Await.until(
                "the log lines of both instances",
                PATIENCE,
                () -> log(mode, name, "has closed its upstream").size() == 1
                        && log(mode, name, "The upstream is open after a wait").size() == 1,
                () -> String.join("\n", log(mode, name, "")));

        String zombie = whileItHung.get(0).split(" ", -1)[0];
        List<String> afterwards = stubborn.journal().stream()
                .skip(whileItHung.size())
                .filter(line -> line.startsWith(zombie + " "))
                .toList();
        assertThat(afterwards)
                .as("the last calls of the zombie")
                .isSubsetOf(
                        zombie + " returns from " + call, zombie + " started at 0", zombie + " stop", zombie + " poll");
        rest.stop(name);
        rest.awaitState(name, "STOPPED");
        long end = rest.offsets(name).at("/offsets/0/offset/next").asLong();
        assertThat(end).as("the source has continued").isGreaterThanOrEqualTo(20);
        assertCountedTo(end, records(name), mode);
        rest.delete(name);
    }

    @Test
    void doesNotBlockTheWorkerOrItsOtherConnectorsWhileTheConnectorHangs() {
        Mode mode = Mode.AT_LEAST_ONCE;
        ConnectRest rest = cluster.rest(mode);
        StubbornPlugin bystander = new StubbornPlugin(cluster.directory().resolve("bystander"), "bystander");
        rest.create("bystander", bystander.hosted(cluster.calibrationDirectory()));
        cluster.worker(mode).awaitRunning("bystander", 1);

        StubbornPlugin inValidate = new StubbornPlugin(cluster.directory().resolve("validating"), "validating");
        inValidate.hang("validate");
        CompletableFuture<Void> creation = CompletableFuture.runAsync(
                () -> rest.create("validating", inValidate.hosted(cluster.calibrationDirectory())));
        inValidate.awaitHanging("validate");
        assertServes(rest, "bystander");
        assertThat(inValidate.isHanging("validate"))
                .as("it hung during all of these requests")
                .isTrue();

        StubbornPlugin inConfigs = new StubbornPlugin(cluster.directory().resolve("configuring"), "configuring");
        inConfigs.hang("taskConfigs");
        rest.create("configuring", inConfigs.hosted(cluster.calibrationDirectory()));
        inConfigs.awaitHanging("taskConfigs");
        assertServes(rest, "bystander");
        assertThat(inConfigs.isHanging("taskConfigs")).isTrue();
        // The cause of the worker's own line stands on a line without the connector's name.
        assertThat(log(mode, "", "has not reported its tasks yet")).isNotEmpty();

        inValidate.release("validate");
        creation.join();
        inConfigs.release("taskConfigs");
        for (String name : List.of("validating", "configuring")) {
            cluster.worker(mode).awaitRunning(name, 1);
            awaitRecords(name, 20);
            rest.delete(name);
        }
        assertThat(inConfigs.journal().stream().filter(line -> line.endsWith(" taskConfigs")))
                .as("one thread for all requests of the worker")
                .hasSizeLessThan(3);
        rest.delete("bystander");
    }

    /** Checks the requests that would block if a hanging connector held the worker's thread. */
    private void assertServes(ConnectRest rest, String name) {
        long before = records(name).size();
        rest.pause(name);
        rest.awaitState(name, "PAUSED");
        rest.resume(name);
        rest.awaitState(name, "RUNNING");
        awaitRecords(name, before + 20);
    }

    /**
     * The end is the position at which the source would continue. An event before it that is not in Kafka is lost. In
     * at-least-once mode Kafka may hold more events.
     */
    private static void assertCountedTo(long end, List<Long> values, Mode mode) {
        if (mode == Mode.EXACTLY_ONCE) {
            assertThat(values).isEqualTo(LongStream.range(0, end).boxed().toList());
            return;
        }
        List<Long> first = new ArrayList<>(new LinkedHashSet<>(values));
        assertThat(first).hasSizeGreaterThanOrEqualTo((int) end);
        assertThat(first).isEqualTo(LongStream.range(0, first.size()).boxed().toList());
    }

    private List<String> log(Mode mode, String name, String part) {
        return cluster.worker(mode).logLines().stream()
                .filter(line -> line.contains(name) && line.contains(part))
                .toList();
    }

    private void awaitRecords(String topic, long atLeast) {
        Await.until(
                atLeast + " records in " + topic,
                PATIENCE,
                () -> records(topic).size() >= atLeast,
                () -> records(topic).size() + " seen");
    }

    private List<Long> records(String topic) {
        return cluster.reader().readCommitted(topic).stream()
                .map(record -> Long.valueOf(new String(record.value(), StandardCharsets.UTF_8)))
                .toList();
    }
}
