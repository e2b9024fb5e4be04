package io.microbatch.connect.console;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The advice for a connector of another project on an exactly-once worker. Settings of Connect come first. Hosting is
 * advised where they cannot keep the goal. One advice; one thread.
 */
final class PlainAdvisor {

    /** By this factor an interval has to be too short before a longer one is advised. */
    private static final double WORTH_FACTOR = 1.5;

    /** Half of a second, in milliseconds: with commits for longer a task has no room for more events. */
    private static final double BUSY_MS_PER_SEC = 500;

    /** What to say of a linger as long as Connect's interval. */
    private static final String LINGER = " A linger as long as the interval makes few produce requests of many. "
            + "Consumers of committed events see no difference, and consumers of uncommitted ones get events later. "
            + "The worker refuses the key, unless its connector.client.config.override.policy allows it, as the "
            + "default (All) does.";

    /** The same where the worker refuses it. */
    private static final String LINGER_REFUSED = " A linger as long as the interval would save produce requests. "
            + ProducerLoad.REFUSED + "producer.linger.ms.";

    /** The same where transactions write to several brokers. */
    private static final String LINGER_OF_SEVERAL_BROKERS =
            " A linger as long as the interval would save produce requests. "
                    + "It is not advised where the producer sends to several brokers, because it raised the p99 there.";

    /** What to say of hosting where a stock setting is enough. By benchmarks/results/frontier.md and cdc-full.md. */
    private static final String HOSTING = "It follows a rate that changes. At a steady rate it saves little: with 20 "
            + "to 50,000 events/s, one a poll, this connector's own generator took 0.65 to 1.11 times the processor "
            + "time of the cheapest interval with a linger as long that kept the same p99. A hosted Debezium took 0.94 "
            + "to 1.11 times that of an interval.";

    /** What hosting needs of several brokers. By benchmarks/results/frontier-brokers.md. */
    private static final String BACK_OFF = " The producer sends to several brokers: set their "
            + "add.partitions.to.txn.retry.backoff.ms to 1 first, or an interval may be better.";

    private final ConnectorSettings settings;
    private final double goalMs;
    private final Load load;
    private final SourceLoad source;
    private final PollTiming polls;
    private final ProducerLoad producer;
    private final Estimate now;

    private PlainAdvisor(TaskSnapshot task, ConnectorSettings settings, double goalMs) {
        this.settings = settings;
        this.goalMs = goalMs;
        this.load = Load.of(task);
        this.source = SourceLoad.of(task, settings);
        this.polls = PollTiming.of(load, source);
        this.producer = ProducerLoad.of(task, settings);
        this.now = present();
    }

    static Advice advise(TaskSnapshot task, ConnectorSettings settings, double goalMs) {
        return new PlainAdvisor(task, settings, goalMs).advise();
    }

    private Advice advise() {
        if (settings.hasOwnBoundaries()) {
            return only(Verdict.LEAVE, ConnectorSettings.OWN_BOUNDARIES);
        }
        if (source.isReadLate() && !load.isCommitBound()) {
            return only(Verdict.LOOK_AT_SOURCE, SourceLoad.READ_LATE);
        }
        return producer.smallerBatches(evidence(), now)
                .orElseGet(settings.hasInterval() ? this::ofInterval : this::ofPolls);
    }

    private Advice ofInterval() {
        double intervalMs = settings.intervalMs();
        boolean late = now.p99Ms() > goalMs * AdviceLimits.TOLERANCE;
        PollTiming timing = late ? polls.shortened(load, source, goalMs) : polls;
        if (intervalMs <= load.commitMs() * 1.2) {
            double longer = shortest();
            if (longer > settings.maxIntervalMs()) {
                return noInterval(timing);
            }
            return set(
                    "A commit takes " + Texts.ms(load.commitMs()) + ", so an interval of " + Texts.ms(intervalMs)
                            + " is over whenever a commit ends, and every poll commits. Make the interval longer.",
                    interval(longer, timing),
                    intervalEstimate(longer, timing));
        }
        if (timing.areNew() && intervalEstimate(intervalMs, timing).p99Ms() <= goalMs) {
            return set(source.pollsTooSeldom(), timing.keys(), intervalEstimate(intervalMs, timing));
        }
        double best =
                Math.min(settings.maxIntervalMs(), DelayModel.intervalFor(goalMs, timing.gapMs(), load.commitMs()));
        if (late) {
            if (Double.isNaN(best) || best >= intervalMs || waitsForTheSource()) {
                return isEnough(eachPoll(timing)) ? withoutInterval(timing) : noInterval(timing);
            }
            return set(
                    (timing.areNew() ? source.pollsTooSeldom() + " " : "") + "Connect commits every "
                            + Texts.ms(intervalMs) + ". A shorter interval keeps the goal.",
                    interval(best, timing),
                    intervalEstimate(best, timing));
        }
        Estimate then = intervalEstimate(best, timing);
        if (best >= intervalMs * WORTH_FACTOR && savedCores(then) >= AdviceLimits.WORTH_CORES) {
            return set(
                    "The goal leaves room for a longer interval, which costs fewer transactions.",
                    interval(best, timing),
                    then);
        }
        return leave();
    }

    private Advice ofPolls() {
        PollTiming timing = now.p99Ms() > goalMs ? polls.shortened(load, source, goalMs) : polls;
        if (timing.areNew() && isEnough(eachPoll(timing))) {
            return set(source.pollsTooSeldom(), timing.keys(), eachPoll(timing));
        }
        double best = Math.min(
                settings.maxIntervalMs(),
                load.isCommitBound()
                        ? DelayModel.intervalAfterBackToBack(goalMs, timing.gapMs(), load.commitMs())
                        : DelayModel.intervalFor(goalMs, timing.gapMs(), load.commitMs()));
        Estimate then = intervalEstimate(best, timing);
        boolean late = now.p99Ms() > goalMs * AdviceLimits.TOLERANCE;
        boolean costly = load.transactionsPerSec() > then.transactionsPerSec() * WORTH_FACTOR
                && savedCores(then) >= AdviceLimits.WORTH_CORES;
        if (!late && !costly && !load.isCommitBound()) {
            return leave();
        }
        if (Double.isNaN(best) || waitsForTheSource()) {
            return noInterval(timing);
        }
        return set(
                whyAnInterval(timing, late) + "Let Connect end transactions by its interval.",
                interval(best, timing),
                then);
    }

    private String whyAnInterval(PollTiming timing, boolean late) {
        if (timing.areNew()) {
            return source.pollsTooSeldom() + " With a shorter one many more polls return events. ";
        }
        if (load.isCommitBound()) {
            return "The task spends " + percent(load.inCommit())
                    + " of its time in commits: each poll is a transaction. ";
        }
        return late
                ? "Events wait longer than the goal. "
                : "Each poll is a transaction, which is more than the goal needs. ";
    }

    /** Whether a transaction for each poll keeps the goal, in not many more transactions than hosting needs. */
    private boolean isEnough(Estimate polls) {
        return polls.p99Ms() <= goalMs
                && polls.transactionCores() - target().transactionCores() < AdviceLimits.WORTH_CORES
                && polls.transactionsPerSec() * load.commitMs() < BUSY_MS_PER_SEC;
    }

    private Advice withoutInterval(PollTiming timing) {
        return new Advice(
                Verdict.SET,
                "Events wait for the interval, and for a poll that returns after it. So few polls return events that "
                        + "a transaction for each of them costs little. It is what Connect does without these keys.",
                evidence(),
                now,
                eachPoll(timing),
                Change.removing(Set.of(ConnectorSettings.BOUNDARY, ConnectorSettings.BOUNDARY_INTERVAL_MS))
                        .andSetting(timing.keys()),
                hosted());
    }

    /** No interval keeps the goal: either polls do not return in time, or commits take too long. */
    private Advice noInterval(PollTiming timing) {
        boolean waits = waitsForTheSource();
        double shortestMs = shortest();
        Estimate nearest = intervalEstimate(shortestMs, timing);
        // The model is not exact enough to tell hosting from an interval that misses the goal by less than its error.
        boolean hostingIsBetter = DelayModel.isTargetPossible(goalMs, load.commitMs())
                && (waits || nearest.p99Ms() > DelayModel.ERROR_FACTOR * target().p99Ms());
        if (hostingIsBetter) {
            return hosting(
                    waits
                            ? "Connect looks at its interval only when a poll returns, and a poll of this source takes "
                                    + "up to " + Texts.ms(load.pollMaxMs()) + "."
                            : "No interval that is long enough for transactions keeps the goal, or comes near.");
        }
        boolean isAllowed = shortestMs <= settings.maxIntervalMs();
        if (isAllowed && (isHeldUp() || (!waits && now.p99Ms() > WORTH_FACTOR * nearest.p99Ms()))) {
            String why = isHeldUp()
                    ? "The task spends " + percent(load.inCommit()) + " of its time in commits of "
                            + Texts.ms(load.commitMs()) + ". Larger transactions raise the throughput. "
                    : "";
            return set(
                    why + "No interval keeps the goal with commits of " + Texts.ms(load.commitMs())
                            + ". This one comes nearest.",
                    interval(shortestMs, timing),
                    nearest);
        }
        return new Advice(
                Verdict.LOOK_AT_BROKER,
                "A commit takes " + Texts.ms(load.commitMs()) + ". No interval keeps the goal of " + Texts.ms(goalMs)
                        + " with that, and "
                        + (isAllowed
                                ? "the shortest p99 of Connect's interval is about " + Texts.ms(nearest.p99Ms())
                                : "one that leaves room for commits is longer than half of the transaction timeout")
                        + ". Look at the brokers' disks, replication and transaction coordinator, or accept a longer "
                        + "goal.",
                evidence(),
                now,
                now,
                Change.NONE,
                larger());
    }

    private Advice hosting(String why) {
        if (!canBeHosted()) {
            Verdict verdict = waitsForTheSource() ? Verdict.LOOK_AT_SOURCE : Verdict.LOOK_AT_BROKER;
            return only(
                    now.p99Ms() <= goalMs * AdviceLimits.TOLERANCE ? Verdict.LEAVE : verdict,
                    why + " Hosting the connector would help. But " + HostedKeys.obstacle(settings.config()));
        }
        return new Advice(
                Verdict.WRAP,
                why + " Host the connector: another thread polls it, and the commit does not wait for the poll."
                        + (producer.hasSeveralBrokers() ? BACK_OFF : ""),
                evidence(),
                now,
                target(),
                wrapping(),
                List.of());
    }

    /** The shortest interval that its commits leave room for. */
    private double shortest() {
        double exact = isHeldUp()
                ? DelayModel.minIntervalAfterBackToBack(load.commitMs())
                : DelayModel.minInterval(load.commitMs());
        return Math.ceil(exact / 10) * 10;
    }

    /** Whether transactions follow each other without a pause, one for each poll. */
    private boolean isHeldUp() {
        return load.isCommitBound() && !settings.hasInterval();
    }

    private Advice set(String summary, Map<String, String> keys, Estimate then) {
        List<Advice.Alternative> alternatives = new ArrayList<>(larger());
        alternatives.addAll(hosted());
        return new Advice(
                Verdict.SET, summary + ofLinger(keys), evidence(), now, then, Change.setting(keys), alternatives);
    }

    private String ofLinger(Map<String, String> keys) {
        if (keys.containsKey(ProducerLoad.LINGER)) {
            return LINGER;
        }
        String intervalMs = keys.get(ConnectorSettings.BOUNDARY_INTERVAL_MS);
        if (intervalMs == null || savedByLinger(Double.parseDouble(intervalMs), load.pollsPerSec()) <= 0) {
            return "";
        }
        if (producer.hasSeveralBrokers()) {
            return LINGER_OF_SEVERAL_BROKERS;
        }
        return producer.mayLinger() ? "" : LINGER_REFUSED;
    }

    private Advice leave() {
        boolean lingerIsWorthIt = savedByLinger(settings.intervalMs(), load.pollsPerSec()) >= AdviceLimits.WORTH_CORES;
        if (settings.hasInterval() && lingerIsWorthIt && producer.mayLingerUntilCommit()) {
            return set(
                    "The interval is right for the goal.",
                    Map.of(ProducerLoad.LINGER, Texts.setting(settings.intervalMs())),
                    now);
        }
        return new Advice(
                Verdict.LEAVE,
                "The goal is kept, and fewer transactions would save little.",
                evidence(),
                now,
                now,
                Change.NONE,
                hosted());
    }

    private Advice only(Verdict verdict, String summary) {
        return Advice.without(verdict, summary, evidence(), now);
    }

    private List<Advice.Alternative> larger() {
        if (!producer.isLimit() || !producer.gainsByLargerBatches() || !producer.mayResize()) {
            return List.of();
        }
        return List.of(new Advice.Alternative(
                "Larger produce requests: the producer's batches are full, and its one request is nearly always under "
                        + "way.",
                Estimate.UNKNOWN,
                Change.setting(producer.larger())));
    }

    private List<Advice.Alternative> hosted() {
        if (!canBeHosted() || !DelayModel.isTargetPossible(goalMs, load.commitMs())) {
            return List.of();
        }
        return List.of(new Advice.Alternative(
                "Host the connector with latency.target.ms=" + Texts.setting(goalMs) + ". " + HOSTING
                        + (producer.hasSeveralBrokers() ? BACK_OFF : ""),
                target(),
                wrapping()));
    }

    private boolean canBeHosted() {
        return settings.text(ConnectorSettings.PLUGIN_VERSION).isEmpty() && HostedKeys.canBeWrapped(settings.config());
    }

    private Change wrapping() {
        return Change.wrapping(Map.of(ConnectorSettings.TARGET_MS, Texts.setting(goalMs)));
    }

    private Estimate target() {
        return DelayModel.target(load.rate(), goalMs, load.commitMs());
    }

    private Map<String, String> interval(double intervalMs, PollTiming timing) {
        Map<String, String> keys = new LinkedHashMap<>(timing.keys());
        keys.put(ConnectorSettings.BOUNDARY, "interval");
        keys.put(ConnectorSettings.BOUNDARY_INTERVAL_MS, Texts.setting(intervalMs));
        // The connector restarts for the interval anyway, so that any saving is worth the key.
        if (producer.mayLingerUntilCommit() && savedByLinger(intervalMs, timing.perSec()) > 0) {
            keys.put(ProducerLoad.LINGER, Texts.setting(intervalMs));
        }
        return keys;
    }

    private double savedByLinger(double intervalMs, double pollsPerSec) {
        // Where commits hold the polls up, there are more of them afterwards, and nobody knows how many.
        double perSec = isHeldUp() ? Double.POSITIVE_INFINITY : pollsPerSec;
        return producer.savedByLinger(perSec, intervalMs);
    }

    private Estimate present() {
        if (isHeldUp()) {
            // Events wait in the source for as long as they are more than the commits carry. Nobody here sees them.
            return new Estimate(Double.NaN, Double.NaN, load.transactionsPerSec());
        }
        Estimate model = settings.hasInterval() ? intervalEstimate(settings.intervalMs(), polls) : eachPoll(polls);
        return new Estimate(model.p50Ms(), model.p99Ms(), load.transactionsPerSec());
    }

    private Estimate eachPoll(PollTiming timing) {
        return DelayModel.eachPoll(timing.perSec(), timing.waitMs(), load.commitMs(), load.commitP99Ms());
    }

    private Estimate intervalEstimate(double intervalMs, PollTiming timing) {
        return Double.isNaN(intervalMs) ? Estimate.UNKNOWN : DelayModel.interval(timing, intervalMs, load.commitMs());
    }

    private double savedCores(Estimate then) {
        return now.transactionCores() - then.transactionCores();
    }

    private boolean waitsForTheSource() {
        return !source.debezium() && load.blocksInPoll() && load.pollMaxMs() > goalMs;
    }

    private List<Evidence> evidence() {
        Evidence.Collector evidence = new Evidence.Collector()
                .add("events a second", load.rate(), "/s")
                .add("events a poll", load.eventsPerPoll(), "")
                .add("transactions a second", load.transactionsPerSec(), "/s")
                .add("average commit", load.commitMs(), "ms")
                .add("longest commit", load.commitMaxMs(), "ms")
                .add("part of the time in commits", load.inCommit(), "")
                .add("part of the time in polls", load.inPoll(), "")
                .add("longest poll that returned events", load.pollMaxMs(), "ms")
                .add("goal for the p99", goalMs, "ms");
        if (settings.hasInterval()) {
            evidence.add("Connect's interval", settings.intervalMs(), "ms");
        }
        source.addTo(evidence);
        producer.addTo(evidence);
        return evidence.list();
    }

    private static String percent(double part) {
        return Math.round(part * 100) + " %";
    }
}
