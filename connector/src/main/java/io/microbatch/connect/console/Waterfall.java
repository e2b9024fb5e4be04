package io.microbatch.connect.console;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Where a usual event spends its time, stage by stage, as far as the figures tell. In milliseconds, in the order of the
 * stages. Stateless; any thread.
 */
final class Waterfall {

    private Waterfall() {}

    /** The stages of a task with their times. A stage that nothing is known of is absent. */
    static Map<String, Double> of(TaskSnapshot task, ConnectorSettings settings) {
        Map<String, Double> stages = new LinkedHashMap<>();
        if (settings.isMicrobatch()) {
            ofMicrobatch(task, settings, stages);
        } else {
            ofPlain(task, settings, stages);
        }
        stages.values().removeIf(value -> !Double.isFinite(value));
        return stages;
    }

    private static void ofMicrobatch(TaskSnapshot task, ConnectorSettings settings, Map<String, Double> stages) {
        double sendAndCommitMs = task.get(Figure.SEND_AND_COMMIT_MINUTE_P50_MS);
        double waitMs = Math.max(0, task.get(Figure.ACK_LATENCY_MINUTE_P50_MS) - sendAndCommitMs);
        // Events linger in the stripe: what is longer than the linger is the wait for a busy task.
        double lingerMs = Math.min(waitMs, task.get(Figure.LINGER_MS));
        double commitMs = task.isExactlyOnce() ? Math.min(sendAndCommitMs, task.get(Figure.COMMIT_AVG_MS)) : Double.NaN;
        stages.put("upstream", task.get(Figure.UPSTREAM_LAG_MS));
        stages.put(
                "request",
                // Both are those of the last second.
                OwnUpstream.requestMs(task.get(Figure.HTTP_ANSWER_P50_MS), task.get(Figure.ACK_LATENCY_P50_MS)));
        if (settings.hasUpstream(ConnectorSettings.OUTBOX)) {
            stages.put("poll interval", OwnUpstream.rowWaitMs(settings));
            stages.put("read rows", task.get(Figure.OUTBOX_POLL_MS));
        }
        stages.put("stripe", waitMs - lingerMs);
        stages.put("linger", lingerMs);
        double sendMs = Double.isNaN(commitMs) ? sendAndCommitMs : sendAndCommitMs - commitMs;
        // Full batches have no delay, so that the median may be shorter.
        double offsetDelayMs = Math.min(sendMs, task.get(Figure.OFFSET_DELAY_MS, 0));
        stages.put("convert and send", sendMs - offsetDelayMs);
        stages.put("offset delay", offsetDelayMs > 0 ? offsetDelayMs : Double.NaN);
        stages.put("commit", commitMs);
    }

    private static void ofPlain(TaskSnapshot task, ConnectorSettings settings, Map<String, Double> stages) {
        SourceLoad source = SourceLoad.of(task, settings);
        stages.put("source", source.behindMs());
        if (source.debezium()) {
            stages.put("poll interval", source.pollIntervalMs());
        }
        if (task.isExactlyOnce()) {
            stages.put("transaction interval", settings.hasInterval() ? settings.intervalMs() / 2 : Double.NaN);
            stages.put("commit", task.get(Figure.COMMIT_AVG_MS));
        } else {
            stages.put("producer queue", task.get(Figure.PRODUCER_QUEUE_AVG_MS));
            stages.put("request", task.get(Figure.PRODUCER_REQUEST_AVG_MS));
        }
    }
}
