package io.microbatch.bench.pages;

import io.microbatch.bench.Bench;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;

/** The subcommands and options of the bench, as its command line defines them. */
final class BenchWords {

    private static final String PROFILE = "--profile";

    private final Path checkout;

    BenchWords(Path checkout) {
        this.checkout = checkout;
    }

    /** What of these arguments the bench does not have. Values are not looked at. */
    List<String> problems(List<String> arguments) {
        List<String> problems = new ArrayList<>();
        CommandLine command = new CommandLine(new Bench());
        for (int at = 0; at < arguments.size(); at++) {
            String word = arguments.get(at);
            CommandLine inner = command.getSubcommands().get(word);
            if (inner != null) {
                command = inner;
            } else if (word.startsWith("-")) {
                String option = word.replaceFirst("=.*", "");
                if (command.getCommandSpec().findOption(option) == null) {
                    problems.add(command.getCommandSpec().qualifiedName() + " has no option " + option);
                }
                if (option.equals(PROFILE) && at + 1 < arguments.size() && !isProfile(arguments.get(at + 1))) {
                    problems.add("no profile " + arguments.get(at + 1));
                }
            } else if (!command.getSubcommands().isEmpty()
                    && command.getCommandSpec().positionalParameters().isEmpty()) {
                problems.add(command.getCommandSpec().qualifiedName() + " has no subcommand " + word);
            }
        }
        return problems;
    }

    private boolean isProfile(String name) {
        Path profiles = checkout.resolve("benchmarks/profiles");
        return Files.exists(profiles.resolve("workloads/" + name + ".yaml"))
                && Files.exists(profiles.resolve("drivers/" + name + ".yaml"));
    }

    /** Why the bench does not take these arguments, with their values. */
    List<String> problemsOfParsing(List<String> arguments) {
        try {
            CommandLine.ParseResult ignored = new CommandLine(new Bench()).parseArgs(arguments.toArray(new String[0]));
            return List.of();
        } catch (CommandLine.ParameterException e) {
            return List.of(e.getMessage());
        }
    }
}
