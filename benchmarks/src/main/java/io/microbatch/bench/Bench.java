package io.microbatch.bench;

import io.microbatch.bench.advise.AdviseCommand;
import io.microbatch.bench.bulk.BulkCommand;
import io.microbatch.bench.calibrate.CalibrateCommand;
import io.microbatch.bench.cdc.CdcCommand;
import io.microbatch.bench.cdc.DemoCommand;
import io.microbatch.bench.cluster.ClusterCommand;
import io.microbatch.bench.cluster.PluginsCommand;
import io.microbatch.bench.cluster.TopicCommand;
import io.microbatch.bench.control.ColdStartCommand;
import io.microbatch.bench.control.CompareCommand;
import io.microbatch.bench.control.FinalCommand;
import io.microbatch.bench.control.RampCommand;
import io.microbatch.bench.control.RegretCommand;
import io.microbatch.bench.control.StepCommand;
import io.microbatch.bench.faults.FaultsCommand;
import io.microbatch.bench.fleet.FleetCommand;
import io.microbatch.bench.frontier.FrontierCommand;
import io.microbatch.bench.hosting.HostingCommand;
import io.microbatch.bench.http.HttpCommand;
import io.microbatch.bench.matrix.MatrixCommand;
import io.microbatch.bench.micro.MicroCommand;
import io.microbatch.bench.outbox.OutboxCommand;
import io.microbatch.bench.producer.BaselineCommand;
import io.microbatch.bench.regress.RegressCommand;
import io.microbatch.bench.report.ReportCommand;
import io.microbatch.bench.scenario.CatchUpCommand;
import io.microbatch.bench.scenario.DisklessCommand;
import io.microbatch.bench.scenario.ScenarioCommand;
import io.microbatch.bench.upgrade.UpgradeCommand;
import io.microbatch.testbed.ShutdownGuard;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The root of the bench's command line. A new subcommand is one more class in the list below. */
@Command(
        name = "bench",
        description = "Measures and demonstrates kafka-connect-microbatch on this machine.",
        subcommands = {
            DemoCommand.class,
            AdviseCommand.class,
            BaselineCommand.class,
            BulkCommand.class,
            CdcCommand.class,
            CalibrateCommand.class,
            CatchUpCommand.class,
            DisklessCommand.class,
            CompareCommand.class,
            ClusterCommand.class,
            RampCommand.class,
            RegretCommand.class,
            StepCommand.class,
            ColdStartCommand.class,
            FrontierCommand.class,
            FinalCommand.class,
            FleetCommand.class,
            FaultsCommand.class,
            HostingCommand.class,
            UpgradeCommand.class,
            HttpCommand.class,
            MatrixCommand.class,
            OutboxCommand.class,
            ScenarioCommand.class,
            MicroCommand.class,
            ReportCommand.class,
            RegressCommand.class,
            PluginsCommand.class,
            TopicCommand.class
        })
public final class Bench implements Runnable {

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            scope = CommandLine.ScopeType.INHERIT,
            description = "show this and exit")
    private boolean unusedHelp; // picocli itself acts on it

    @Spec
    private CommandSpec spec;

    /** Exits with the subcommand's code: 0 when it verified, 1 when it did not, 2 for a wrong command line. */
    public static void main(String[] arguments) {
        System.exit(new CommandLine(new Bench())
                .setExecutionExceptionHandler(Bench::report)
                .execute(arguments));
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "missing subcommand");
    }

    // The message names the cause and carries the end of the log that explains it: a stack trace would hide both.
    private static int report(Exception failure, CommandLine command, CommandLine.ParseResult ignored) {
        if (ShutdownGuard.isShuttingDown()) {
            return 1;
        }
        command.getErr().println("bench: " + failure);
        for (Throwable cause = failure.getCause(); cause != null; cause = cause.getCause()) {
            command.getErr().println("  because: " + cause);
        }
        return 1;
    }
}
