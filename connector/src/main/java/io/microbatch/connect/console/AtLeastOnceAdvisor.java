package io.microbatch.connect.console;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The advice for a connector of another project on an at-least-once worker. A poll costs no transaction there, and the
 * producer batches by itself. Stateless; any thread.
 */
final class AtLeastOnceAdvisor {

    /** The part of the goal that a linger may take. The rest is for polls, the request and what is not predicted. */
    private static final double LINGER_PART = 0.8;

    private AtLeastOnceAdvisor() {}

    static Advice advise(TaskSnapshot task, ConnectorSettings settings, double goalMs) {
        Load load = Load.of(task);
        SourceLoad source = SourceLoad.of(task, settings);
        ProducerLoad producer = ProducerLoad.of(task, settings);
        Estimate now = estimate(task, source.pollIntervalMs());
        Evidence.Collector collected = new Evidence.Collector()
                .add("events a second", load.rate(), "/s")
                .add("events a poll", load.eventsPerPoll(), "")
                .add("part of the time in polls", load.inPoll(), "")
                .add("goal for the p99", goalMs, "ms");
        source.addTo(collected);
        producer.addTo(collected);
        List<Evidence> evidence = collected.list();
        Optional<Advice> smallerBatches = producer.smallerBatches(evidence, now);
        if (smallerBatches.isPresent()) {
            return smallerBatches.get();
        }
        if (producer.isLimit()) {
            if (producer.gainsByLargerBatches() && !producer.mayResize()) {
                return Advice.without(
                        Verdict.LOOK_AT_BROKER,
                        "The producer is the limit, and larger batches would help. " + ProducerLoad.LARGER_REFUSED,
                        evidence,
                        now);
            }
            return producer.gainsByLargerBatches()
                    ? new Advice(
                            Verdict.SET,
                            "The producer is the limit: its one request is nearly always under way, and its batches "
                                    + "are full. Make its requests larger.",
                            evidence,
                            now,
                            Estimate.UNKNOWN,
                            Change.setting(producer.larger()),
                            List.of())
                    : Advice.without(
                            Verdict.LOOK_AT_BROKER,
                            "The producer waits for the broker, and larger batches would not help. A request takes "
                                    + Texts.ms(producer.requestMs())
                                    + ". Look at the brokers, or spread the events over more tasks.",
                            evidence,
                            now);
        }
        if (source.isReadLate()) {
            return Advice.without(Verdict.LOOK_AT_SOURCE, SourceLoad.READ_LATE, evidence, now);
        }
        double pollMs = source.pollIntervalFor(goalMs);
        boolean pollsTooSeldom = source.pollIntervalMs() > Math.max(pollMs, goalMs / 2);
        if (source.debezium() && now.p99Ms() > goalMs && pollsTooSeldom) {
            Map<String, String> keys = new LinkedHashMap<>();
            keys.put(SourceLoad.POLL_INTERVAL, Texts.setting(pollMs));
            return new Advice(
                    Verdict.SET,
                    source.pollsTooSeldom(),
                    evidence,
                    now,
                    estimate(task, pollMs),
                    Change.setting(keys),
                    List.of());
        }
        double lingerMs = Math.floor(LINGER_PART * goalMs);
        Estimate then = withLinger(task, source.pollIntervalMs(), lingerMs);
        boolean isWorthIt = lingerMs > producer.lingerMs()
                && then.p99Ms() <= goalMs
                && producer.savedByLinger(lingerMs) >= AdviceLimits.WORTH_CORES;
        if (isWorthIt && producer.mayLinger()) {
            return new Advice(
                    Verdict.SET,
                    "The goal leaves room for a longer linger of the producer, which makes few requests of many. "
                            + "Events arrive that much later.",
                    evidence,
                    now,
                    then,
                    Change.setting(Map.of(ProducerLoad.LINGER, Texts.setting(lingerMs))),
                    List.of());
        }
        return Advice.without(
                Verdict.LEAVE,
                "In at-least-once mode a poll costs no transaction, and the producer batches by itself. "
                        + (isWorthIt
                                ? "A linger of " + Texts.ms(lingerMs) + " would save requests. " + ProducerLoad.REFUSED
                                        + "producer.linger.ms."
                                : "Hosting the connector would bring little."),
                evidence,
                now);
    }

    /** An event waits for the linger at most, and then for its request. */
    private static Estimate withLinger(TaskSnapshot task, double pollIntervalMs, double lingerMs) {
        double requestMs = task.get(Figure.PRODUCER_REQUEST_AVG_MS);
        return new Estimate(pollIntervalMs + lingerMs / 2 + requestMs, 2 * pollIntervalMs + lingerMs + requestMs, 0);
    }

    private static Estimate estimate(TaskSnapshot task, double pollIntervalMs) {
        double requestMs = task.get(Figure.PRODUCER_REQUEST_AVG_MS);
        return new Estimate(
                pollIntervalMs + task.get(Figure.PRODUCER_QUEUE_AVG_MS) + requestMs,
                2 * pollIntervalMs + task.get(Figure.PRODUCER_QUEUE_MAX_MS) + requestMs,
                0);
    }
}
