package io.microbatch.connect.upstream.hosted.debezium;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.management.ObjectName;
import javax.management.StandardMBean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** MBeans with Debezium's names, in an MBean server of the test's own. */
class DebeziumSignsTest {

    private static final String STREAMING = "debezium.postgres:type=connector-metrics,context=streaming,server=shop";
    private static final String SNAPSHOT = "debezium.postgres:type=connector-metrics,context=snapshot,server=shop";

    private final MBeanServer server = MBeanServerFactory.newMBeanServer();
    private final DebeziumSigns signs = signs(Map.of("topic.prefix", "shop", "heartbeat.interval.ms", " 10000 "));

    private DebeziumSigns signs(Map<String, String> settings) {
        return new DebeziumSigns(settings, server);
    }

    /** The part of Debezium's streaming MBean that is read. */
    public interface StreamingMBean {
        /** Whether Debezium streams. */
        boolean isConnected();
    }

    /** The part of Debezium's snapshot MBean that is read. */
    public interface SnapshotMBean {
        /** Whether a snapshot runs. */
        boolean getSnapshotRunning();

        /** Whether it has ended with everything. */
        boolean getSnapshotCompleted();

        /** Whether there was nothing to do, because an earlier one has ended with everything. */
        boolean getSnapshotSkipped();
    }

    /** Streams or not. */
    public static final class Streaming implements StreamingMBean {
        private final boolean connected;

        Streaming(boolean connected) {
            this.connected = connected;
        }

        @Override
        public boolean isConnected() {
            return connected;
        }
    }

    /** Takes a snapshot, has taken one, or does without. */
    public static final class Snapshot implements SnapshotMBean {
        private final String state;

        Snapshot(boolean running) {
            this(running ? "running" : "none");
        }

        Snapshot(String state) {
            this.state = state;
        }

        @Override
        public boolean getSnapshotRunning() {
            return state.equals("running");
        }

        @Override
        public boolean getSnapshotCompleted() {
            return state.equals("completed");
        }

        @Override
        public boolean getSnapshotSkipped() {
            return state.equals("skipped");
        }
    }

    /** Fails, as an MBean of a task that is being stopped may. */
    public static final class Broken implements StreamingMBean {
        @Override
        public boolean isConnected() {
            throw new IllegalStateException("stopped");
        }
    }

    private void show(String name, Object bean) throws JMException {
        ObjectName parsed = new ObjectName(name);
        if (server.isRegistered(parsed)) {
            server.unregisterMBean(parsed);
        }
        if (bean != null) {
            Object ignored = server.registerMBean(bean, parsed);
        }
    }

    @Test
    void isConnectedWhileItStreamsOrTakesASnapshot() throws JMException {
        assertThat(signs.connected()).as("not registered yet").isNaN();
        show(STREAMING, new Streaming(false));
        show(SNAPSHOT, new Snapshot(true));
        assertThat(signs.connected()).as("snapshot").isEqualTo(1);
        show(SNAPSHOT, new Snapshot(false));
        assertThat(signs.connected()).as("between the two").isZero();
        show(STREAMING, new Streaming(true));
        assertThat(signs.connected()).isEqualTo(1);
    }

    /** Debezium ends there on purpose. Its MBeans stay until the task is stopped. */
    @ParameterizedTest
    @CsvSource({"initial_only, ", "Initial_Only, true", "configuration_based, ", "configuration_based, false"})
    void needsNoConnectionAfterASnapshotThatNoChangesFollow(String mode, String stream) throws JMException {
        DebeziumSigns once = signs(settings(mode, stream));
        show(STREAMING, new Streaming(false));
        show(SNAPSHOT, new Snapshot(false));
        assertThat(once.connected()).as("before the snapshot").isZero();
        show(SNAPSHOT, new Snapshot("running"));
        assertThat(once.connected()).as("during the snapshot").isEqualTo(1);
        show(SNAPSHOT, new Snapshot("completed"));
        assertThat(once.connected()).as("after the snapshot").isNaN();
        show(SNAPSHOT, new Snapshot("skipped"));
        assertThat(once.connected()).as("after a restart").isNaN();
        assertThat(once.heartbeatMs()).as("nothing beats").isNaN();
    }

    @ParameterizedTest
    @CsvSource({"initial, ", "always, ", "no_data, ", "when_needed, ", "custom, ", "configuration_based, true"})
    void needsAConnectionAfterASnapshotThatChangesFollow(String mode, String stream) throws JMException {
        DebeziumSigns lasting = signs(settings(mode, stream));
        show(STREAMING, new Streaming(false));
        show(SNAPSHOT, new Snapshot("completed"));
        assertThat(lasting.connected()).isZero();
        assertThat(lasting.heartbeatMs()).isEqualTo(10_000);
    }

    private static Map<String, String> settings(String mode, String stream) {
        Map<String, String> settings =
                new HashMap<>(Map.of("topic.prefix", "shop", "heartbeat.interval.ms", "10000", "snapshot.mode", mode));
        if (stream != null) {
            settings.put("snapshot.mode.configuration.based.start.stream", stream);
        }
        return settings;
    }

    @Test
    void isDisconnectedWhenItsMBeansAreGone() throws JMException {
        show(STREAMING, new Streaming(true));
        assertThat(signs.connected()).isEqualTo(1);
        show(STREAMING, null);
        assertThat(signs.connected()).isZero();
    }

    /** Nobody has read the MBeans while they were there, or its start has failed before it has registered them. */
    @Test
    void isDisconnectedAfterAPollThatHasFailedUntilItRunsAgain() throws JMException {
        signs.failed();
        assertThat(signs.connected()).isZero();
        show(STREAMING, new Streaming(true));
        assertThat(signs.connected()).isEqualTo(1);
    }

    /** Perhaps it has no MBeans. */
    @Test
    void doesNotKnowWhetherItIsConnectedWhereItReturnsRecordsWithoutMBeans() {
        signs.failed();
        signs.returned();
        assertThat(signs.connected()).isNaN();
    }

    @Test
    void doesNotKnowWhatABrokenMBeanWouldSay() throws JMException {
        show(STREAMING, new StandardMBean(new Broken(), StreamingMBean.class));
        assertThat(signs.connected()).isNaN();
    }

    @Test
    void readsItsOwnMBeansOnly() throws JMException {
        show(STREAMING.replace("shop", "store"), new Streaming(true));
        assertThat(signs.connected()).as("another connector's").isNaN();
        String tasks = "debezium.sql_server:type=connector-metrics,server=shop,task=%d,context=streaming";
        show(tasks.formatted(0), new Streaming(true));
        show(tasks.formatted(1), new Streaming(false));
        // One database of a task has figures of its own, without a connection.
        show(tasks.formatted(1) + ",database=a", new Snapshot(true));
        assertThat(signs.connected()).isEqualTo(1);
        assertThat(signs(Map.of("topic.prefix", "shop", "task.id", "1")).connected())
                .isZero();
    }

    @Test
    void findsANameThatJmxQuotes() throws JMException {
        show(STREAMING.replace("shop", "\"a:b\\*\""), new Streaming(true));
        assertThat(signs(Map.of("topic.prefix", "a:b*")).connected()).isEqualTo(1);
    }

    @Test
    void expectsHeartbeatsAsConfiguredButNotDuringASnapshot() throws JMException {
        assertThat(signs.heartbeatMs()).isEqualTo(10_000);
        show(SNAPSHOT, new Snapshot(true));
        assertThat(signs.heartbeatMs()).isNaN();
        show(SNAPSHOT, new Snapshot(false));
        assertThat(signs.heartbeatMs()).isEqualTo(10_000);
        assertThat(signs(Map.of()).heartbeatMs()).as("the default").isNaN();
        assertThat(signs(Map.of("heartbeat.interval.ms", "0")).heartbeatMs())
                .as("off")
                .isNaN();
        assertThat(signs(Map.of("heartbeat.interval.ms", "often")).heartbeatMs())
                .as("Debezium refuses it")
                .isNaN();
    }
}
