package io.microbatch.bench.micro;

import picocli.CommandLine.Command;

/** Groups the microbenchmarks: {@code bench micro rings}, {@code bench micro transforms}. */
@Command(
        name = "micro",
        description = "Microbenchmarks.",
        subcommands = {RingsCommand.class, TransformsCommand.class})
public final class MicroCommand {}
