package io.microbatch.connect.upstream.hosted.debezium;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import javax.management.Attribute;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.kafka.common.utils.Sanitizer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The signs of life of a Debezium task: what its own MBeans say of its connection, and the heartbeats that its settings
 * ask for. An MBean that is absent, or that fails, is a fact that is not known. Any thread.
 */
public final class DebeziumSigns {

    private static final Logger log = LoggerFactory.getLogger(DebeziumSigns.class);

    private static final String HEARTBEAT = "heartbeat.interval.ms";
    private static final String TOPIC_PREFIX = "topic.prefix";
    private static final String SNAPSHOT_MODE = "snapshot.mode";

    /** What decides in the mode that is made of settings. It is off by default. */
    private static final String STREAM_OF_SETTINGS = "snapshot.mode.configuration.based.start.stream";

    /** Connectors with several tasks give each its number. */
    private static final String TASK_ID = "task.id";

    private final MBeanServer server;
    private final String topicPrefix;
    private final String task;
    private final double heartbeatMs;

    /** Whether Debezium reads changes at all, and not only what is there. */
    private final boolean streams;

    /** Whether the MBeans were found once. A task that a predecessor keeps from registering them has none. */
    private volatile boolean isFound;

    /** Whether a poll has asked to be repeated, and none has returned records since. Written by the reader thread. */
    private volatile boolean mayRestart;

    /**
     * Prepares the reading of the MBeans of a task.
     *
     * @param settings the settings of the hosted task, without prefix
     */
    public DebeziumSigns(Map<String, String> settings, MBeanServer server) {
        this.server = server;
        this.topicPrefix = settings.getOrDefault(TOPIC_PREFIX, "");
        this.task = settings.getOrDefault(TASK_ID, "0");
        this.streams = streams(settings);
        this.heartbeatMs = streams ? milliseconds(settings.getOrDefault(HEARTBEAT, "")) : Double.NaN;
    }

    private static boolean streams(Map<String, String> settings) {
        return switch (settings.getOrDefault(SNAPSHOT_MODE, "").trim().toLowerCase(Locale.ROOT)) {
            case "initial_only" -> false;
            case "configuration_based" ->
                Boolean.parseBoolean(
                        settings.getOrDefault(STREAM_OF_SETTINGS, "").trim());
            default -> true;
        };
    }

    /** Not a number for no heartbeats. */
    private static double milliseconds(String text) {
        try {
            long ms = Long.parseLong(text.trim());
            return ms > 0 ? ms : Double.NaN;
        } catch (NumberFormatException e) {
            return Double.NaN;
        }
    }

    /**
     * A poll has asked to be repeated. Debezium has stopped then. It starts again in a later poll, and returns empty
     * polls before. Reader thread.
     */
    public void failed() {
        mayRestart = true;
    }

    /** A poll has returned records: Debezium runs. Reader thread. */
    public void returned() {
        if (mayRestart) {
            mayRestart = false;
        }
    }

    /**
     * 1 while Debezium is connected to its database or takes a snapshot, otherwise 0. 0 too after its MBeans are gone,
     * because it removes them between two attempts to connect, and where it has none after a poll that has failed. Not
     * a number before it has registered them, and after a snapshot that no changes follow, by {@code snapshot.mode}:
     * then it needs no connection.
     */
    public double connected() {
        Optional<Boolean> streaming = flag("streaming", "Connected");
        Optional<Boolean> snapshot = flag("snapshot", "SnapshotRunning");
        if (streaming.isEmpty() && snapshot.isEmpty()) {
            return isFound || mayRestart ? 0 : Double.NaN;
        }
        isFound = true;
        if (!streams && isSnapshotOver()) {
            return Double.NaN;
        }
        return streaming.orElse(false) || snapshot.orElse(false) ? 1 : 0;
    }

    /** A restarted task skips the snapshot that its predecessor has completed. */
    private boolean isSnapshotOver() {
        return flag("snapshot", "SnapshotCompleted").orElse(false)
                || flag("snapshot", "SnapshotSkipped").orElse(false);
    }

    /**
     * The interval of Debezium's heartbeats in milliseconds. Not a number without heartbeats, and during a snapshot,
     * which has none, also where no changes follow it.
     */
    public double heartbeatMs() {
        return flag("snapshot", "SnapshotRunning").orElse(false) ? Double.NaN : heartbeatMs;
    }

    private Optional<Boolean> flag(String context, String attribute) {
        try {
            ObjectName pattern = new ObjectName("debezium.*:type=connector-metrics,context=" + context + ",server="
                    + Sanitizer.jmxSanitize(topicPrefix) + ",*");
            for (ObjectName name : server.queryNames(pattern, null)) {
                String number = name.getKeyProperty("task");
                if (number == null || number.equals(task)) {
                    // Unlike a single attribute, one that an MBean does not have is left out.
                    for (Attribute found :
                            server.getAttributes(name, new String[] {attribute}).asList()) {
                        if (found.getValue() instanceof Boolean flag) {
                            return Optional.of(flag);
                        }
                    }
                }
            }
        } catch (JMException | RuntimeException e) {
            log.debug("Debezium's MBeans of {} cannot be read", topicPrefix, e);
        }
        return Optional.empty();
    }
}
