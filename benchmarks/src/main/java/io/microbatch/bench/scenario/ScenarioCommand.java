package io.microbatch.bench.scenario;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code bench scenario NAME}. */
@Command(
        name = "scenario",
        description = "Puts the connector and its rivals into the same situation, with any workload and any driver.",
        subcommands = {
            HotPathCommand.class,
            BacklogCommand.class,
            PartitionsCommand.class,
            SizesCommand.class,
            FanOutCommand.class,
            OffsetRecoveryCommand.class,
            MixedCommand.class,
            SlowBrokerCommand.class
        })
public final class ScenarioCommand implements Runnable {

    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "missing scenario");
    }
}
