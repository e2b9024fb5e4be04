package io.microbatch.bench.micro;

import picocli.CommandLine.Command;

/** Groups the microbenchmarks: {@code bench micro rings}, {@code transforms}, {@code bulk}, {@code letters}. */
@Command(
        name = "micro",
        description = "Microbenchmarks.",
        subcommands = {RingsCommand.class, TransformsCommand.class, BulkFormatCommand.class, LettersCommand.class})
public final class MicroCommand {}
