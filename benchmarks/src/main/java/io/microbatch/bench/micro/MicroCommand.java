package io.microbatch.bench.micro;

import picocli.CommandLine.Command;

/** Groups the microbenchmarks: {@code bench micro rings}. */
@Command(name = "micro", description = "Microbenchmarks.", subcommands = RingsCommand.class)
public final class MicroCommand {}
