package io.microbatch.bench.pages;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.microbatch.testbed.pages.PageCommand;
import io.microbatch.testbed.pages.ShellText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Whether what a command names exists in the checkout: programs, files, options, services. Nothing is run. */
final class NamedThings {

    private static final Set<String> FOREIGN = Set.of(
            "awk",
            "cat",
            "cd",
            "curl",
            "cut",
            "echo",
            "export",
            "for",
            "git",
            "gpg",
            "gzip",
            "java",
            "kubectl",
            "printf",
            "psql",
            "python3",
            "rm",
            "seq",
            "sha512sum",
            "sleep",
            "sort",
            "tar",
            "umask",
            "uniq",
            "unzip",
            "wait",
            "zip",
            "kafka-console-consumer.sh",
            "kafka-acls.sh",
            "kafka-transactions.sh");

    /** Files that the reader of a page has, or that a command before wrote. */
    private static final Set<String> OF_THE_READER = Set.of("mine.yaml", "result.json");

    private static final Set<String> COMPOSE_OPTIONS = Set.of("-d", "-T", "--rm", "--volumes");
    private static final Set<String> COMPOSE_OF_SERVICES = Set.of("up", "kill", "build", "logs", "run", "exec");
    private static final Set<String> COMPOSE_IN_A_SERVICE = Set.of("run", "exec");
    private static final Pattern BARE_FILE = Pattern.compile("[\\w.-]+\\.(yaml|yml|json|sql|py|java)");
    private static final Pattern CLASS = Pattern.compile("\\bio\\.microbatch\\.[a-z.]*[A-Z]\\w*");
    private static final Pattern WORD_OF_SCRIPT = Pattern.compile("-{0,2}[a-z][a-z-]*");

    private final Path checkout;
    private final Set<String> directories;
    private final List<String> files;
    private final MavenWords maven;
    private final BenchWords bench;
    private final JsonNode compose;

    NamedThings(Path checkout) throws IOException {
        this.checkout = checkout;
        try (Stream<Path> top = Files.list(checkout)) {
            directories = top.filter(Files::isDirectory)
                    .map(each -> each.getFileName().toString())
                    .filter(name -> !name.matches("target|\\..*") || name.equals(".ci"))
                    .collect(Collectors.toSet());
        }
        files = sources(checkout);
        maven = new MavenWords(checkout, files);
        bench = new BenchWords(checkout);
        compose = new YAMLMapper()
                .readTree(checkout.resolve("docker/compose.yaml").toFile());
    }

    private static List<String> sources(Path checkout) throws IOException {
        try (Stream<Path> tree = Files.walk(checkout)) {
            return tree.map(checkout::relativize)
                    .map(file -> file.toString().replace('\\', '/'))
                    .filter(file -> !("/" + file).matches(".*/(target|\\.git)/.*"))
                    .toList();
        }
    }

    /** Whether code in the running text is a command, or a path, that can be checked. */
    boolean isChecked(PageCommand span) {
        String first = span.text().split(" ", 2)[0];
        return Set.of("bench", "mvn", "bin/microbatch", "microbatch").contains(first)
                || span.text().startsWith("docker compose")
                || (first.indexOf('/') > 0 && directories.contains(first.substring(0, first.indexOf('/'))));
    }

    /** What is wrong with the command of a block, each with the reason. */
    List<String> problemsOfBlock(PageCommand command) {
        List<String> problems = problems(command);
        for (List<String> program : ShellText.programs(command.text())) {
            if (program.get(0).equals("benchmarks/bench") && problems.isEmpty()) {
                problems.addAll(bench.problemsOfParsing(program.subList(1, program.size())));
            }
        }
        return problems;
    }

    /** What is wrong with a command, of which the running text may leave out arguments. */
    List<String> problems(PageCommand command) {
        List<String> problems = new ArrayList<>();
        for (List<String> program : ShellText.programs(command.text())) {
            List<String> arguments = program.subList(1, program.size());
            switch (program.get(0)) {
                case "benchmarks/bench", "bench" -> problems.addAll(bench.problems(arguments));
                case "bin/microbatch", "microbatch" -> ofMicrobatch(arguments, problems);
                case "mvn" -> problems.addAll(maven.problems(arguments));
                case "docker" ->
                    ofCompose(arguments.subList(Math.min(1, arguments.size()), arguments.size()), problems);
                case "docker-compose" -> ofCompose(arguments, problems);
                default -> ofProgram(program, problems);
            }
            arguments.forEach(word -> ofWord(word, problems));
        }
        return problems;
    }

    private void ofProgram(List<String> program, List<String> problems) {
        String name = program.get(0);
        Path script = checkout.resolve(name);
        if (name.indexOf('/') <= 0) {
            if (!FOREIGN.contains(name)) {
                problems.add("unknown program " + name);
            }
        } else if (Files.isRegularFile(script) && Files.isExecutable(script)) {
            Set<String> known = new TreeSet<>(List.of(read(script).split("[^\\w-]+")));
            program.stream()
                    .skip(1)
                    .filter(word -> WORD_OF_SCRIPT.matcher(word).matches() && !known.contains(word))
                    .forEach(word -> problems.add(name + " does not know " + word));
        } else if (program.size() == 1) {
            ofWord(name, problems);
        } else {
            problems.add("no script " + name);
        }
    }

    private void ofMicrobatch(List<String> arguments, List<String> problems) {
        String program = read(checkout.resolve("connector/src/main/java/io/microbatch/connect/cli/Microbatch.java"));
        String options = read(checkout.resolve("connector/src/main/java/io/microbatch/connect/migrate/Options.java"));
        if (!arguments.isEmpty() && !program.contains("case \"" + arguments.get(0) + "\"")) {
            problems.add("bin/microbatch has no subcommand " + arguments.get(0));
        }
        arguments.stream()
                .filter(word -> word.startsWith("--") && !options.contains("\"  " + word + " "))
                .forEach(word -> problems.add("bin/microbatch has no option " + word));
    }

    private void ofCompose(List<String> arguments, List<String> problems) {
        Iterator<String> words = arguments.iterator();
        String subcommand = "";
        while (words.hasNext()) {
            String word = words.next();
            if (subcommand.isEmpty() && word.equals("-f")) {
                // Is checked like every other path.
                String ignored = words.next();
            } else if (subcommand.isEmpty() && word.equals("--profile")) {
                String profile = words.next();
                if (compose.findValues("profiles").stream()
                        .noneMatch(each -> each.toString().contains('"' + profile + '"'))) {
                    problems.add("no profile " + profile + " in docker/compose.yaml");
                }
            } else if (word.startsWith("-")) {
                if (!COMPOSE_OPTIONS.contains(word)) {
                    problems.add("unknown option of Compose: " + word);
                }
            } else if (subcommand.isEmpty()) {
                subcommand = word;
                if (!COMPOSE_OF_SERVICES.contains(word) && !word.equals("down")) {
                    problems.add("unknown subcommand of Compose: " + word);
                }
            } else {
                if (!compose.path("services").has(word)) {
                    problems.add("no service " + word + " in docker/compose.yaml");
                }
                if (COMPOSE_IN_A_SERVICE.contains(subcommand)) {
                    return;
                }
            }
        }
    }

    private void ofWord(String word, List<String> problems) {
        Matcher type = CLASS.matcher(word);
        while (type.find()) {
            String file = type.group().replace('.', '/') + ".java";
            if (files.stream().noneMatch(each -> each.endsWith("/java/" + file))) {
                problems.add("no class " + type.group());
            }
        }
        if (word.contains(" ") || word.contains("://")) {
            return;
        }
        for (String part : word.replaceFirst("^@", "").split("[=:,]", -1)) {
            int slash = part.indexOf('/');
            if (slash > 0 && directories.contains(part.substring(0, slash))) {
                // What a build makes is not there before it.
                String path = part.replaceFirst("(/target/|[^/]*[*<…]).*", "").replaceFirst("/$", "");
                if (!path.isEmpty() && !Files.exists(checkout.resolve(path))) {
                    problems.add("no file " + part);
                }
            } else if (BARE_FILE.matcher(part).matches()
                    && !OF_THE_READER.contains(part)
                    && files.stream().noneMatch(each -> each.endsWith("/" + part))) {
                problems.add("no file " + part);
            }
        }
    }

    static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
