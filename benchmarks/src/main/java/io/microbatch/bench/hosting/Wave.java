package io.microbatch.bench.hosting;

import io.microbatch.bench.load.Delivery;
import io.microbatch.testbed.Await;
import io.microbatch.testbed.ConnectRest;
import io.microbatch.testbed.ConnectRestException;
import io.microbatch.testbed.ConnectorStatus;
import io.microbatch.testbed.TopicReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

/**
 * Some members on the worker of a mode, each plain and hosted at the same time: the worker is killed while they run,
 * and what arrived is compared with the truth. Every step is bounded in time; a member that exceeds the bound is noted,
 * and the others continue. One thread.
 */
final class Wave {

    private static final Duration START_LIMIT = Duration.ofSeconds(60);
    private static final Duration RECOVERY_LIMIT = Duration.ofSeconds(45);
    private static final Duration END_LIMIT = Duration.ofSeconds(150);
    private static final Duration STOP_LIMIT = Duration.ofSeconds(45);
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long TEND_NANOS = TimeUnit.SECONDS.toNanos(3);
    private static final int KILL_AFTER_MIN_MS = 150;
    private static final int KILL_AFTER_MAX_MS = 1_500;

    /** Where a wave runs. */
    interface Cluster {

        /** For clients. */
        String bootstrapServers();

        /** The worker's. */
        ConnectRest rest();

        /** Creates topics. */
        void create(List<Member.Topic> topics);

        /** Kills the worker and returns when it answers again. */
        void killAndRestart();

        /** The sum of the last stable offsets of each group of topics. */
        long[] committed(List<List<Member.Topic>> groups);
    }

    private final Cluster stage;
    private final Delivery mode;
    private final int kills;
    private final Canary canary;
    private final RandomGenerator random;
    private final Consumer<String> say;
    private final TopicReader reader;
    private final List<Entrant> entrants = new ArrayList<>();
    private long lookedNanos;
    private long tendedNanos;

    Wave(Cluster stage, Delivery mode, int kills, Canary canary, RandomGenerator random, Consumer<String> say) {
        this.stage = stage;
        this.mode = mode;
        this.kills = kills;
        this.canary = canary;
        this.random = random;
        this.say = say;
        this.reader = new TopicReader(stage.bootstrapServers());
    }

    /** Runs these members to their end, and answers what became of each. */
    List<MemberResult> run(List<Member> members) {
        begin(members);
        members.forEach(member -> member.started(reader));
        for (int kill = 1; kill <= kills; kill++) {
            kill(members, kill);
        }
        members.forEach(Member::seal);
        awaitEnd();
        entrants.forEach(this::lookForSecrets);
        stopAll();
        return members.stream().map(this::result).toList();
    }

    private void begin(List<Member> members) {
        List<Member.Topic> topics = new ArrayList<>();
        for (Member member : members) {
            for (Side side : Side.values()) {
                entrants.add(new Entrant(member, side, System::nanoTime));
                topics.addAll(member.topics(side));
            }
        }
        stage.create(topics);
        members.forEach(Member::begin);
        for (Entrant entrant : entrants) {
            tell(
                    entrant,
                    "create",
                    () -> stage.rest().put(entrant.connector(), config(entrant)),
                    failure -> entrant.trouble("was refused: " + failure));
        }
        awaitAll(
                START_LIMIT, Entrant::hasAdvanced, entrant -> entrant.trouble("has delivered nothing after its start"));
    }

    private Map<String, String> config(Entrant entrant) {
        Member member = entrant.member();
        Map<String, String> around = new HashMap<>(member.around());
        // What a dead task left open is ended soon.
        around.putIfAbsent("producer.override.transaction.timeout.ms", "20000");
        if (mode == Delivery.EXACTLY_ONCE) {
            around.put("exactly.once.support", member.resumesExactly ? "required" : "requested");
        }
        if (entrant.side() == Side.HOSTED) {
            around.put("calibration.enabled", "false");
        }
        return entrant.side().configuration(member.own(entrant.side()), around);
    }

    private void kill(List<Member> members, int kill) {
        if (kill == (kills + 1) / 2) {
            members.forEach(Member::halfway);
        }
        members.forEach(Member::burst);
        long delayMs = random.nextInt(KILL_AFTER_MIN_MS, KILL_AFTER_MAX_MS);
        boolean ignored = Await.reached(Duration.ofMillis(delayMs), () -> false);
        look();
        entrants.forEach(Entrant::mustAdvance);
        long beganNanos = System.nanoTime();
        stage.killAndRestart();
        List<String> silent = new ArrayList<>();
        awaitAll(RECOVERY_LIMIT, Entrant::hasAdvanced, entrant -> silent.add(entrant.connector()));
        say.accept(String.format(
                Locale.ROOT,
                "  kill %d of %d, %.1f s until all continued%s",
                kill,
                kills,
                (System.nanoTime() - beganNanos) / 1e9,
                silent.isEmpty() ? "" : " but " + String.join(", ", silent)));
    }

    /** Waits until all that have no problem meet the condition, and reports those that are not in time. */
    private void awaitAll(Duration limit, Predicate<Entrant> there, Consumer<Entrant> late) {
        boolean reached = Await.reached(limit, () -> {
            lookAndTend();
            return entrants.stream().allMatch(entrant -> !entrant.problem().isEmpty() || there.test(entrant));
        });
        if (!reached) {
            entrants.stream()
                    .filter(entrant -> entrant.problem().isEmpty() && !there.test(entrant))
                    .forEach(late);
        }
    }

    private void lookAndTend() {
        long nowNanos = System.nanoTime();
        if (nowNanos - lookedNanos >= LOOK_NANOS) {
            look();
            lookedNanos = System.nanoTime();
        }
        if (nowNanos - tendedNanos >= TEND_NANOS) {
            entrants.forEach(this::tend);
            tendedNanos = System.nanoTime();
        }
    }

    private void look() {
        long[] committed = stage.committed(entrants.stream()
                .map(entrant -> entrant.member().topics(entrant.side()))
                .toList());
        for (int i = 0; i < committed.length; i++) {
            entrants.get(i).saw(committed[i]);
        }
    }

    /** Restarts over REST what has failed, as an operator does. */
    private void tend(Entrant entrant) {
        tell(entrant, "look after", () -> {
            ConnectorStatus status = stage.rest().status(entrant.connector());
            if (status.hasFailed()) {
                entrant.failed();
                say.accept("  " + entrant.connector() + " has failed: " + cause(status.failure()));
                stage.rest().restartFailed(entrant.connector());
            }
        });
    }

    /** The last cause that a stack trace names. */
    private static String cause(String trace) {
        int at = trace.lastIndexOf("Caused by: ");
        String from = at < 0 ? trace : trace.substring(at);
        int end = from.indexOf('\n');
        return end < 0 ? from : from.substring(0, end);
    }

    private void tell(Entrant entrant, String what, Runnable order) {
        tell(entrant, what, order, failure -> {});
    }

    private void tell(Entrant entrant, String what, Runnable order, Consumer<String> failed) {
        try {
            order.run();
        } catch (ConnectRestException | CompletionException | IllegalStateException e) {
            say.accept("  cannot " + what + " " + entrant.connector() + ": " + e.getMessage());
            failed.accept(e.getMessage());
        }
    }

    private void awaitEnd() {
        entrants.forEach(Entrant::beginPatience);
        boolean ignored = Await.reached(END_LIMIT, () -> {
            lookAndTend();
            entrants.stream().filter(Entrant::isWorthReading).forEach(this::read);
            entrants.stream()
                    .filter(entrant -> !entrant.isDone() && entrant.isStalled())
                    .peek(this::read)
                    .filter(entrant -> !entrant.isComplete())
                    .forEach(entrant -> entrant.trouble("hangs: delivers nothing more, though its source holds more"));
            return entrants.stream().allMatch(Entrant::isDone);
        });
        entrants.stream()
                .filter(entrant -> !entrant.isDone())
                .forEach(entrant -> entrant.trouble("was not at its end in time"));
    }

    private void read(Entrant entrant) {
        entrant.wasRead(entrant.member().delivered(entrant.side(), reader).isComplete());
    }

    private void lookForSecrets(Entrant entrant) {
        tell(
                entrant,
                "look at",
                () -> canary.lookAt(entrant.connector(), stage.rest().taskConfigs(entrant.connector())),
                failure -> entrant.trouble("did not show what its tasks have, which may be a secret: " + failure));
    }

    /** So that the tail, and what a task still sends as it stops, is among what is read. */
    private void stopAll() {
        for (Entrant entrant : entrants) {
            tell(entrant, "stop", () -> stage.rest().stop(entrant.connector()));
        }
        boolean ignored = Await.reached(STOP_LIMIT, () -> entrants.stream().allMatch(this::isStopped));
        for (Entrant entrant : entrants) {
            if (!isStopped(entrant)) {
                entrant.trouble("did not stop");
            }
            tell(entrant, "delete", () -> stage.rest().delete(entrant.connector()));
        }
    }

    private boolean isStopped(Entrant entrant) {
        try {
            ConnectorStatus status = stage.rest().status(entrant.connector());
            return (status.state().equals("STOPPED") || status.state().equals("ABSENT"))
                    && status.tasks().isEmpty();
        } catch (ConnectRestException | CompletionException | IllegalStateException e) {
            return false;
        }
    }

    private MemberResult result(Member member) {
        Entrant plain = entrant(member, Side.PLAIN);
        Entrant hosted = entrant(member, Side.HOSTED);
        Delivered ofPlain = member.delivered(Side.PLAIN, reader);
        Delivered ofHosted = member.delivered(Side.HOSTED, reader);
        return new MemberResult(
                member.name,
                member.connector,
                member.tasks,
                mode,
                member.resumesExactly,
                kills,
                plain.result(ofPlain, 0),
                hosted.result(ofHosted, ofHosted.differentFrom(ofPlain)));
    }

    private Entrant entrant(Member member, Side side) {
        return entrants.stream()
                .filter(entrant -> entrant.member().equals(member) && entrant.side() == side)
                .findFirst()
                .orElseThrow();
    }
}
