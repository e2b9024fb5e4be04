package io.microbatch.connect.console;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The advice for a connector of another project on an at-least-once worker. A poll costs no transaction there, and the
 * producer batches by itself. Each instance advises once; immutable.
 */
final class AtLeastOnceAdvisor {

    /** The part of the goal that a linger may take. The rest is for polls, the request and what is not predicted. */
    private static final double LINGER_PART = 0.8;

    private final TaskSnapshot task;
    private final double goalMs;
    private final SourceLoad source;
    private final ProducerLoad producer;
    private final List<Evidence> evidence;
    private final Estimate now;

    private AtLeastOnceAdvisor(TaskSnapshot task, ConnectorSettings settings, double goalMs) {
        this.task = task;
        this.goalMs = goalMs;
        this.source = SourceLoad.of(task, settings);
        this.producer = ProducerLoad.of(task, settings);
        Load load = Load.of(task);
        Evidence.Collector collected = new Evidence.Collector()
                .add("events a second", load.rate(), "/s")
                .add("events a poll", load.eventsPerPoll(), "")
                .add("part of the time in polls", load.inPoll(), "")
                .add("goal for the p99", goalMs, "ms");
        source.addTo(collected);
        producer.addTo(collected);
        this.evidence = collected.list();
        this.now = estimate(source.pollIntervalMs());
    }

    static Advice advise(TaskSnapshot task, ConnectorSettings settings, double goalMs) {
        return new AtLeastOnceAdvisor(task, settings, goalMs).advice();
    }

    private Advice advice() {
        return producer.smallerBatches(evidence, now)
                .or(this::largerBatches)
                .or(this::readLate)
                .or(this::shorterPollInterval)
                .orElseGet(this::longerLinger);
    }

    private Optional<Advice> largerBatches() {
        if (!producer.isLimit()) {
            return Optional.empty();
        }
        if (!producer.gainsByLargerBatches()) {
            return Optional.of(without(
                    Verdict.LOOK_AT_BROKER,
                    "The producer waits for the broker, and larger batches would not help. A request takes "
                            + Texts.ms(producer.requestMs())
                            + ". Look at the brokers, or spread the events over more tasks."));
        }
        if (!producer.mayResize()) {
            return Optional.of(without(
                    Verdict.LOOK_AT_BROKER,
                    "The producer is the limit, and larger batches would help. " + ProducerLoad.LARGER_REFUSED));
        }
        return Optional.of(set(
                "The producer is the limit: its one request is nearly always under way, and its batches are full. "
                        + "Make its requests larger.",
                Estimate.UNKNOWN,
                producer.larger()));
    }

    private Optional<Advice> readLate() {
        return source.isReadLate()
                ? Optional.of(without(Verdict.LOOK_AT_SOURCE, SourceLoad.READ_LATE))
                : Optional.empty();
    }

    private Optional<Advice> shorterPollInterval() {
        double pollMs = source.pollIntervalFor(goalMs);
        boolean pollsTooSeldom = source.pollIntervalMs() > Math.max(pollMs, goalMs / 2);
        // A p99 that is not known is not over the goal.
        if (source.debezium() && now.p99Ms() > goalMs && pollsTooSeldom) {
            Map<String, String> keys = Map.of(SourceLoad.POLL_INTERVAL, Texts.setting(pollMs));
            return Optional.of(set(source.pollsTooSeldom(), estimate(pollMs), keys));
        }
        return Optional.empty();
    }

    private Advice longerLinger() {
        double lingerMs = Math.floor(LINGER_PART * goalMs);
        Estimate then = withLinger(lingerMs);
        boolean isWorthIt = lingerMs > producer.lingerMs()
                && then.p99Ms() <= goalMs
                && producer.savedByLinger(lingerMs) >= AdviceLimits.WORTH_CORES;
        if (isWorthIt && producer.mayLinger()) {
            return set(
                    "The goal leaves room for a longer linger of the producer, which makes few requests of many. "
                            + "Events arrive that much later.",
                    then,
                    Map.of(ProducerLoad.LINGER, Texts.setting(lingerMs)));
        }
        String why = isWorthIt
                ? "A linger of " + Texts.ms(lingerMs) + " would save requests. " + ProducerLoad.REFUSED
                        + "producer.linger.ms."
                : "Hosting the connector would bring little.";
        return without(
                Verdict.LEAVE,
                "In at-least-once mode a poll costs no transaction, and the producer batches by itself. " + why);
    }

    private Advice set(String why, Estimate then, Map<String, String> keys) {
        return new Advice(Verdict.SET, why, evidence, now, then, Change.setting(keys), List.of());
    }

    private Advice without(Verdict verdict, String why) {
        return Advice.without(verdict, why, evidence, now);
    }

    /** An event waits for the linger at most, and then for its request. */
    private Estimate withLinger(double lingerMs) {
        double requestMs = task.get(Figure.PRODUCER_REQUEST_AVG_MS);
        double pollMs = source.pollIntervalMs();
        return new Estimate(pollMs + lingerMs / 2 + requestMs, 2 * pollMs + lingerMs + requestMs, 0);
    }

    private Estimate estimate(double pollIntervalMs) {
        double requestMs = task.get(Figure.PRODUCER_REQUEST_AVG_MS);
        return new Estimate(
                pollIntervalMs + task.get(Figure.PRODUCER_QUEUE_AVG_MS) + requestMs,
                2 * pollIntervalMs + task.get(Figure.PRODUCER_QUEUE_MAX_MS) + requestMs,
                0);
    }
}
