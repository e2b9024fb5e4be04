package io.microbatch.connect.migrate;

import io.microbatch.connect.console.RequestFailure;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Executes a plan step by step. The connector keeps its name, so its offsets stay where they are, and Connect cannot
 * run the old and the new tasks at once. A step that fails is followed by the way back to the state before this run.
 * One call; the caller's thread.
 */
final class Migration {

    /** Offsets that stay the same for so long are those of a connector whose tasks have ended. */
    private static final long SETTLED_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** The first status that says nothing about what the worker will do. */
    private static final int SERVER_ERROR = 500;

    private final Options options;
    private final String name;
    private final ConnectClient rest;
    private final Report report;
    private final SavedFiles files;
    private final Plan plan;
    private String step = "";
    private Path saved;

    /** Whether the worker was asked to change anything. */
    private boolean begun;

    /** Whether a configuration was sent that the worker may put later, because it did not say that it has. */
    private boolean unanswered;

    /** The same of a request to stop. A worker that is not the leader passes it on, and gives up after 90 s. */
    private boolean stopUnanswered;

    /** Whether its tasks may have run with the new configuration. */
    private boolean resumed;

    Migration(Options options, ConnectClient rest, Report report, SavedFiles files, Plan plan) {
        this.options = options;
        this.name = options.connector();
        this.rest = rest;
        this.report = report;
        this.files = files;
        this.plan = plan;
    }

    /** What {@link #run} will do, in words. */
    static List<String> steps(Plan plan) {
        List<String> steps = new ArrayList<>();
        if (plan.changes()) {
            steps.add("save the present configuration");
        }
        if (!plan.before().isStopped()) {
            steps.add("stop it, and wait until its tasks have ended");
        }
        steps.add("read its offsets");
        if (plan.changes()) {
            steps.add("put the new configuration while it is stopped");
        }
        steps.add("compare its offsets with those before");
        steps.add("resume it, and watch its tasks run");
        return steps;
    }

    /** Returns whether the connector runs with the new configuration. */
    boolean run() throws InterruptedException {
        try {
            move();
            report.line("Done. " + name + (options.back() ? " runs plain." : " is hosted."));
            if (!options.back()) {
                report.line("RUNNING does not say that the hosted task has started: its upstream-connected is 0 until "
                        + "then.");
            }
            if (saved != null) {
                report.line("Its former configuration is in " + saved
                        + (options.back() ? "." : "; the way back: " + command("--back --execute")));
            }
            return true;
        } catch (IOException e) {
            report.line("FAILED at the step '" + step + "': " + report.masked(RequestFailure.reason(e)));
        }
        if (begun) {
            undo();
        } else {
            report.line("Nothing was changed.");
        }
        return false;
    }

    private void move() throws IOException, InterruptedException {
        if (plan.changes()) {
            // Before the stop: a directory that cannot be written costs no interruption.
            begin("save the configuration");
            ConnectorView before = plan.before();
            saved = files.saveConfig(before.settings().isMicrobatch() ? "hosted" : "plain", before.config());
        }
        Offsets offsets = stopped();
        if (plan.before().isStopped()) {
            requireLeft(offsets);
        }
        if (plan.changes()) {
            begin("save the offsets");
            files.saveOffsets(offsets);
            begin("put the configuration");
            requireUnchanged();
            put(plan.target());
            awaitConfig(plan.target());
        }
        begin("compare the offsets");
        compare(offsets);
        begin("resume");
        resumed = true;
        rest.resume(name);
        begin("wait for its tasks");
        awaitRunning();
        watch();
        lookAtOffsets(offsets);
    }

    /** Stops the connector, and reads the offsets that its tasks leave. */
    private Offsets stopped() throws IOException, InterruptedException {
        begin("stop");
        begun = true;
        // Even if it is stopped: a request of a run before this one may still be on its way to the worker.
        stop();
        awaitStopped();
        begin("read the offsets");
        Offsets[] last = {rest.offsets(name).orElse(null)};
        boolean settled = Patience.awaits(options.limit(), () -> {
            Patience.pause(SETTLED_NANOS);
            Offsets before = last[0];
            last[0] = rest.offsets(name).orElse(null);
            return last[0] != null && last[0].equals(before);
        });
        if (!settled) {
            throw new IOException("its offsets still change, although it is stopped");
        }
        report.lines("Offsets of the stopped connector: " + last[0].size(), last[0].lines());
        return last[0];
    }

    /** A run that has not ended may have left its offsets, and somebody may have changed the connector's since. */
    private void requireLeft(Offsets offsets) throws IOException {
        List<String> differences = files.leftOffsets().orElse(offsets).differences(offsets);
        if (!differences.isEmpty()) {
            report.lines("The offsets are not those that an earlier run has left:", differences);
            throw new IOException("the offsets differ from those in " + files.offsetsFile()
                    + ". If the connector has run since, delete that file and run this command again");
        }
    }

    /** Somebody else, such as an operator of Kubernetes, may write configurations too. */
    private void requireUnchanged() throws IOException, InterruptedException {
        ConnectorView now = rest.settled(name, options.limit());
        if (!now.config().equals(plan.before().config()) || !now.isStopped()) {
            throw new IOException("somebody else has changed the connector since this run began");
        }
    }

    private void compare(Offsets expected) throws IOException, InterruptedException {
        // A worker that gets a configuration ends the connector and starts it, and shows it as UNASSIGNED meanwhile.
        ConnectorView now = rest.settled(name, options.limit());
        if (!now.isStopped()) {
            throw new IOException("it is " + now.states() + " and was stopped: somebody else has changed it");
        }
        if (!now.config().equals(plan.target())) {
            throw new IOException("somebody else has put another configuration meanwhile");
        }
        Offsets found = rest.offsets(name).orElse(new Offsets(Map.of()));
        List<String> differences = expected.differences(found);
        if (!differences.isEmpty()) {
            report.lines("The offsets are not those of the connector before:", differences);
            throw new IOException("the offsets differ");
        }
        report.line("Offsets verified: " + found.size() + " of " + expected.size() + " are as before.");
    }

    /** Later requests to stop are carried out after earlier ones. A request to resume may overtake them. */
    private void stop() throws IOException, InterruptedException {
        stopUnanswered = true;
        try {
            rest.stop(name);
            stopUnanswered = false;
        } catch (RestException e) {
            // A worker that waits for another one in vain answers with 500.
            stopUnanswered = e.status() >= SERVER_ERROR;
            throw e;
        }
    }

    private void put(Map<String, String> config) throws IOException, InterruptedException {
        unanswered = true;
        try {
            rest.configure(name, config);
            unanswered = false;
        } catch (RestException e) {
            // A worker that refuses the configuration has not put it, and may refuse the former one in its place.
            unanswered = e.status() >= SERVER_ERROR;
            throw e;
        }
    }

    private void awaitConfig(Map<String, String> config) throws IOException, InterruptedException {
        boolean reached =
                Patience.awaits(options.limit(), () -> rest.view(name).config().equals(config));
        if (!reached) {
            throw new IOException("the worker still has another configuration");
        }
    }

    private void awaitStopped() throws IOException, InterruptedException {
        ConnectorView[] last = {plan.before()};
        boolean reached = Patience.awaits(options.limit(), () -> {
            last[0] = rest.view(name);
            return last[0].isStopped();
        });
        if (!reached) {
            throw new IOException("it is still " + last[0].states());
        }
    }

    private void awaitRunning() throws IOException, InterruptedException {
        boolean mayHaveNoTasks =
                plan.before().isRunning() && plan.before().tasks().isEmpty();
        ConnectorView[] last = {plan.before()};
        boolean reached = Patience.awaits(options.limit(), () -> {
            last[0] = healthy();
            return last[0].isRunning() && (mayHaveNoTasks || !last[0].tasks().isEmpty());
        });
        if (!reached) {
            throw new IOException("it is still " + last[0].states());
        }
    }

    private ConnectorView healthy() throws IOException, InterruptedException {
        ConnectorView now = rest.view(name);
        Optional<String> failure = now.failure();
        if (failure.isPresent()) {
            throw new FailedTask(failure.get());
        }
        return now;
    }

    /** A task that cannot reach its source is running at first, and fails later. */
    private void watch() throws IOException, InterruptedException {
        Duration watch = options.watch();
        long end = System.nanoTime() + watch.toNanos();
        ConnectorView[] last = {plan.before()};
        boolean runs = Patience.awaits(watch.plus(options.limit()), () -> {
            last[0] = healthy();
            return last[0].isRunning() && System.nanoTime() - end >= 0;
        });
        if (!runs) {
            throw new IOException("it is " + last[0].states());
        }
        report.line("It is " + last[0].states() + ".");
    }

    /** The move has succeeded before: whatever fails here is no reason to undo it. */
    private void lookAtOffsets(Offsets before) throws InterruptedException {
        try {
            Offsets now = rest.offsets(name).orElse(new Offsets(Map.of()));
            Set<String> missing = before.missingIn(now);
            if (!missing.isEmpty()) {
                report.line("Note: the connector has removed the offsets of " + String.join(", ", missing) + ".");
            }
            report.lines("Offsets now: " + now.size(), now.lines());
            files.forgetOffsets();
        } catch (IOException e) {
            report.line(
                    "Note: it runs, and its offsets were not read again: " + report.masked(RequestFailure.reason(e)));
        }
    }

    private void begin(String next) {
        step = next;
        report.line("- " + next);
    }

    /** Brings back the configuration and the state before this run. Leaves what somebody else has put. */
    private void undo() throws InterruptedException {
        boolean ran = plan.before().isRunning();
        String failed = step;
        report.line("Undoing: the connector gets back the configuration and the state before this run.");
        try {
            Map<String, String> present = rest.view(name).config();
            boolean former = present.equals(plan.before().config());
            if (!former && !present.equals(plan.target())) {
                report.line(
                        "Not undone: somebody else has put another configuration. It is left as it is. To run it: PUT "
                                + rest.address(name) + "/resume");
                tellWhatStands();
                return;
            }
            if (!former || unanswered) {
                begin("stop");
                stop();
                awaitStopped();
                begin("put the former configuration");
                // Also in place of itself: the worker carries out requests in the order in which it gets them, so that
                // one without an answer does not put the new one afterwards.
                put(plan.before().config());
                awaitConfig(plan.before().config());
            } else if (!ran || stopUnanswered) {
                begin("stop");
                stop();
                awaitStopped();
            }
            if (ran) {
                begin("resume");
                rest.resume(name);
                awaitRunning();
            }
            if (ran || resumed) {
                // Its tasks may have moved on since its offsets were saved.
                files.forgetOffsets();
            }
            report.line("Undone: " + name + " has its former configuration and " + (ran ? "runs." : "is stopped."));
        } catch (IOException e) {
            report.line("This could not be undone at '" + step + "': " + report.masked(RequestFailure.reason(e)));
        }
        step = failed;
        tellWhatStands();
    }

    private void tellWhatStands() throws InterruptedException {
        try {
            ConnectorView now = rest.view(name);
            report.line("What stands: " + name + " has the configuration "
                    + (now.config().equals(plan.before().config())
                            ? "before this run"
                            : now.config().equals(plan.target()) ? "after it" : "of somebody else")
                    + " and is " + now.states() + ".");
        } catch (IOException e) {
            report.line("What stands is not known: " + report.masked(RequestFailure.reason(e)));
        }
        report.line("To go on, repair the cause and run this command again: it continues where the connector is.");
        report.line("To go " + (options.back() ? "to the hosted connector" : "back") + ": "
                + command((options.back() ? "" : "--back ") + "--execute"));
        if (saved != null) {
            report.line("By hand: PUT " + rest.address(name) + "/stop, PUT the body in " + saved + " to "
                    + rest.address(name) + "/config, PUT " + rest.address(name) + "/resume");
        }
    }

    private String command(String flags) {
        return "microbatch migrate --rest " + options.rest() + " --connector " + name + " " + flags;
    }
}
