package io.microbatch.connect.migrate;

import io.microbatch.connect.console.AuthorizationHeader;
import io.microbatch.connect.console.ConnectorSettings;
import io.microbatch.connect.console.RequestFailure;
import io.microbatch.connect.console.Secrets;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The command that moves a connector under this one or back: it looks at the connector, shows what would be done, and
 * does it if it is told to. One call; the caller's thread.
 */
public final class Migrate {

    private static final int DONE = 0;
    private static final int NOT_DONE = 1;
    private static final int WRONG_ARGUMENTS = 2;

    private final Options options;
    private final ConnectClient rest;
    private final Report report;

    private Migrate(Options options, ConnectClient rest, Report report) {
        this.options = options;
        this.rest = rest;
        this.report = report;
    }

    /**
     * Runs the command.
     *
     * @param arguments what to do; {@code --help} prints them
     * @param authorization what {@link AuthorizationHeader#VARIABLE} holds; null for none
     * @param out gets what an operator reads
     * @return 0 if it is done, or nothing was to do, or the dry run found no problem; 1 if not; 2 for wrong arguments
     */
    public static int run(List<String> arguments, String authorization, PrintStream out) throws InterruptedException {
        if (arguments.contains("--help")) {
            Options.USAGE.forEach(out::println);
            return DONE;
        }
        Options options;
        try {
            options = Options.of(arguments);
        } catch (IllegalArgumentException e) {
            out.println(e.getMessage());
            Options.USAGE.forEach(out::println);
            return WRONG_ARGUMENTS;
        }
        AuthorizationHeader header;
        try {
            header = AuthorizationHeader.of(authorization);
        } catch (IllegalArgumentException e) {
            out.println(e.getMessage());
            return WRONG_ARGUMENTS;
        }
        Report report = new Report(out);
        try {
            ConnectClient rest = new ConnectClient(options.rest(), header);
            return new Migrate(options, rest, report).run() ? DONE : NOT_DONE;
        } catch (IOException e) {
            report.line("Nothing was changed: " + report.masked(RequestFailure.reason(e)));
            return NOT_DONE;
        }
    }

    private boolean run() throws IOException, InterruptedException {
        String name = options.connector();
        String version = rest.version();
        if (!rest.exists(name)) {
            report.line("There is no connector " + name + ". The cluster has: " + String.join(", ", rest.names()));
            return false;
        }
        ConnectorView before = rest.settled(name, options.limit());
        report.line("Connector " + name + " on Connect " + version + ": "
                + before.settings().className() + ", " + before.states());
        Plan plan = Plan.of(options, before);
        Optional<Set<String>> passwords = rest.passwords(plan.sourceClass());
        Secrets secrets = Plan.secrets(
                passwords.orElse(Set.of()),
                rest.passwords(ConnectorSettings.MICROBATCH_CLASS).orElse(Set.of()));
        report.hide(before.config(), secrets);
        report.hide(plan.target(), secrets);
        SavedFiles files = new SavedFiles(options.directory(), name);
        if (plan.done() && plan.problems().isEmpty()) {
            if (options.execute()) {
                files.forgetOffsets();
            }
            report.line("Nothing to do: it " + (options.back() ? "runs plain." : "is hosted and runs."));
            return true;
        }
        if (plan.problems().isEmpty()) {
            plan = passwords.isPresent()
                    ? checked(plan)
                    : plan.butFor(plan.sourceClass() + " is not installed on this worker.");
            // Without the definition of the connector it is not known which values are passwords.
            if (passwords.isPresent()) {
                show(plan, secrets);
            }
        }
        if (!plan.problems().isEmpty()) {
            report.lines(
                    "Nothing was changed:",
                    plan.problems().stream().map(report::masked).toList());
            return false;
        }
        if (!options.execute()) {
            report.line("Nothing was changed. Add --execute to do it.");
            return true;
        }
        return new Migration(options, rest, report, files, plan).run();
    }

    /** Asks the worker what only it can know. */
    private Plan checked(Plan plan) throws IOException, InterruptedException {
        Optional<Offsets> offsets = rest.offsets(options.connector());
        if (offsets.isEmpty()) {
            return plan.butFor("The worker has no address for offsets: Connect 3.5 is the first that can stop a "
                    + "connector, and this connector needs 3.9.");
        }
        if (!options.back() && !rest.plugins().contains(ConnectorSettings.MICROBATCH_CLASS)) {
            return plan.butFor(ConnectorSettings.MICROBATCH_CLASS + " is not installed on this worker. Put the archive "
                    + "on the plugin.path of every worker, and restart them.");
        }
        Plan checked = plan;
        Set<String> inSnapshot = offsets.get().inSnapshot();
        if (plan.before().isRunning() && !inSnapshot.isEmpty()) {
            checked = checked.butFor("As its offsets say, its snapshot of " + String.join(", ", inSnapshot)
                    + " has not ended. A stop would begin it again, and every row that Kafka has already would come"
                    + " again. Wait until it has ended, or stop the connector first if that is acceptable.");
        }
        for (Map.Entry<String, List<String>> key : rest.problems(plan.target()).entrySet()) {
            checked = checked.butFor(key.getKey() + ": " + String.join("; ", key.getValue()));
        }
        return checked;
    }

    private void show(Plan plan, Secrets secrets) throws IOException, InterruptedException {
        if (plan.changes()) {
            report.lines(
                    "Configuration, before (-) and after (+):",
                    ConfigDiff.lines(plan.before().config(), plan.target(), secrets));
        } else {
            report.line("The configuration is already the new one: a run before this one has put it.");
        }
        plan.notes().forEach(note -> report.line("Note: " + note));
        Optional<Offsets> offsets = rest.offsets(options.connector());
        offsets.ifPresent(known -> report.lines("Offsets now: " + known.size(), known.lines()));
        if (plan.problems().isEmpty()) {
            report.lines("Steps:", Migration.steps(plan));
        }
    }
}
