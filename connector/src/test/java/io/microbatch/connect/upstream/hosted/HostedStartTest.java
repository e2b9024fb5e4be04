package io.microbatch.connect.upstream.hosted;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.debezium.engine.source.EngineContext;
import io.microbatch.connect.config.HostedConfig;
import io.microbatch.connect.upstream.hosted.HostedSample.SampleConnector;
import io.microbatch.connect.upstream.hosted.HostedSample.SampleTask;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.connect.errors.RetriableException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is seen of a hosted task before, during and after its start. */
class HostedStartTest {

    private static Runnable duringStart = () -> {};

    private final HostedReader reader = new HostedReader(
            Map.of(
                    HostedConfig.CLASS_CONFIG, SampleConnector.class.getName(),
                    HostedConfig.TASK_CLASS, StartingTask.class.getName()),
            new EngineContext(),
            new AtomicReference<>(),
            () -> 0);

    /** A task whose start does what a test wants. */
    public static final class StartingTask extends SampleTask {

        /** Called by reflection. */
        public StartingTask() {}

        @Override
        public void start(Map<String, String> properties) {
            duringStart.run();
        }
    }

    @AfterEach
    void forget() {
        duringStart = () -> {};
    }

    /** Connect shows such a task as running. */
    @Test
    void isDisconnectedUntilTheStartHasReturned() {
        assertThat(reader.connected()).as("before the start").isZero();
        List<Double> seen = new ArrayList<>();
        duringStart = () -> seen.add(reader.connected());
        reader.start();
        assertThat(seen).as("during the start").containsExactly(0.0);
        assertThat(reader.connected()).as("a started task that cannot tell").isNaN();
    }

    @Test
    void isDisconnectedBetweenTwoAttemptsToStart() {
        reader.start();
        reader.stop();
        assertThat(reader.connected()).isZero();
        duringStart = () -> {
            throw new RetriableException("the predecessor holds the slot");
        };
        assertThatThrownBy(reader::start).isInstanceOf(RetriableException.class);
        assertThat(reader.connected()).isZero();
    }
}
