package io.microbatch.bench.micro;

import picocli.CommandLine.Command;

/** Groups the microbenchmarks: {@code bench micro rings}, {@code transforms}, {@code bulk}. */
@Command(
        name = "micro",
        description = "Microbenchmarks.",
        subcommands = {RingsCommand.class, TransformsCommand.class, BulkCommand.class})
public final class MicroCommand {}
