package io.microbatch.connect;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks the project against {@link ArchitectureRules}, and each rule against code that breaks it. */
class ArchitectureTest {

    private static final Map<String, ArchRule> RULES = ArchitectureRules.all();
    private static final JavaClasses PROJECT = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages(ArchitectureRules.PROJECT);

    static Stream<String> ruleNames() {
        return RULES.keySet().stream();
    }

    @ParameterizedTest
    @MethodSource("ruleNames")
    void isKeptByTheProject(String rule) {
        RULES.get(rule).check(PROJECT);
    }

    @Test
    void coversEveryPackageOfTheTable() {
        Set<String> seen = new TreeSet<>();
        PROJECT.forEach(type -> seen.add(type.getPackageName()));
        assertThat(seen)
                .containsAll(ArchitectureRules.IMPORTS.keySet().stream()
                        .map(name -> ArchitectureRules.PROJECT + "." + name)
                        .toList());
    }

    @Test
    void matchesTheTableOfTheDocumentation() throws IOException {
        Map<String, Set<String>> drawn = new TreeMap<>();
        Matcher row = Pattern.compile("^\\| `([a-z]+)` \\| [^|]*\\|([a-z, ]*)\\|$", Pattern.MULTILINE)
                .matcher(Files.readString(Path.of("..", "docs", "architecture.md")));
        while (row.find()) {
            Set<String> imports = new TreeSet<>(List.of(row.group(2).strip().split(", ", -1)));
            imports.remove("");
            drawn.put(row.group(1), imports);
        }
        assertThat(drawn).isEqualTo(ArchitectureRules.IMPORTS);
    }

    /** Code that a rule forbids: the members of a class in a package of the project. */
    record Offence(String rule, String packageName, String members) {}

    static Stream<Offence> offences() {
        String project = ArchitectureRules.PROJECT;
        String sleep = "void a() throws Exception { Thread" + ".sleep(1); }";
        return Stream.of(
                new Offence("config imports", "config", project + ".ack.AckLedger a;"),
                new Offence("stripe imports", "stripe", project + ".ack.AckLedger a;"),
                new Offence("ack imports", "ack", project + ".stripe.Wake a;"),
                new Offence("common imports", "common", project + ".pressure.PressureLevel a;"),
                new Offence("transforms imports", "transforms", project + ".ack.AckLedger a;"),
                new Offence("pressure imports", "pressure", project + ".control.Decision a;"),
                new Offence("bulk imports", "bulk", project + ".stripe.Wake a;"),
                new Offence("control imports", "control", project + ".learning.LevelBest a;"),
                new Offence("poll imports", "poll", project + ".learning.LevelBest a;"),
                new Offence("calibration imports", "calibration", project + ".config.BatchConfig a;"),
                new Offence("learning imports", "learning", project + ".poll.Batch a;"),
                new Offence("learning imports", "learning", project + ".calibration.CalibrationFile a;"),
                new Offence("pure", "learning", "java.io.File a;"),
                new Offence("metrics imports", "metrics", project + ".ack.AckLedger a;"),
                new Offence("upstream imports", "upstream", project + ".control.Decision a;"),
                new Offence("upstream imports", "upstream.hosted", project + ".poll.Batch a;"),
                new Offence("poll imports", "poll", project + ".MicrobatchSourceTask a;"),
                new Offence("packing imports", "packing", project + ".config.BatchConfig a;"),
                new Offence("convert imports", "convert", project + ".poll.Batch a;"),
                new Offence("console imports", "console", project + ".metrics.Metric a;"),
                new Offence("migrate imports", "migrate", project + ".config.BatchConfig a;"),
                new Offence("cli imports", "cli", project + ".config.BatchConfig a;"),
                new Offence("rest only in console", "poll", "org.apache.kafka.connect.rest.ConnectRestExtension a;"),
                new Offence("known packages", "attic", ""),
                new Offence("upstream base", "upstream", project + ".upstream.hosted.HostedUpstream a;"),
                new Offence("debezium", "upstream.hosted.debezium", project + ".upstream.Progress a;"),
                new Offence("pure", "control", "java.nio.file.Path a;"),
                new Offence("pure", "pressure", "org.apache.kafka.connect.source.SourceRecord a;"),
                new Offence("database", "poll", "java.sql.Connection a;"),
                new Offence("database", "upstream.hosted", "java.sql.Connection a;"),
                new Offence("calibration file", "upstream.outbox", "org.sqlite.SQLiteConfig a;"),
                new Offence("outbox driver", "upstream.hosted", "org.postgresql.PGConnection a;"),
                new Offence("no sleep", "poll", sleep),
                new Offence(
                        "whole answers",
                        "poll",
                        "void a(java.net.http.HttpClient a, java.net.http.HttpRequest b) throws Exception { a.send(b,"
                                + " null); }"),
                new Offence("no exit", "poll", "void a() { System.exit(1); }"),
                new Offence("no console", "poll", "void a() { System.out.println(); }"),
                new Offence("no console", "poll", "void a() { System.err.println(); }"),
                new Offence("no driver manager", "calibration", "java.sql.DriverManager a;"),
                new Offence("no secrets in texts", "config", "record A(java.util.Map<String, String> a) {}"));
    }

    @ParameterizedTest
    @MethodSource("offences")
    void failsOnAnOffence(Offence offence, @TempDir Path directory) throws IOException {
        JavaClasses offenders = compile(directory, offending(offence.packageName(), offence.members()));
        assertThat(RULES.get(offence.rule()).evaluate(offenders).hasViolation()).isTrue();
    }

    @Test
    void failsOnUpstreamsThatUseEachOther(@TempDir Path directory) throws IOException {
        String other = ArchitectureRules.PROJECT + ".upstream.synthetic.Offender a;";
        JavaClasses offenders =
                compile(directory, offending("upstream.hosted", other), offending("upstream.synthetic", ""));
        assertThat(RULES.get("upstreams apart").evaluate(offenders).hasViolation())
                .isTrue();
    }

    /** The libraries need not be there: a class in one of their packages is enough. */
    @ParameterizedTest
    @ValueSource(strings = {"io.netty.channel", "com.fasterxml.jackson.core"})
    void failsOnALibraryOfTheHttpUpstreamElsewhere(String library, @TempDir Path directory) throws IOException {
        String librarian = "package " + library + "; public class Offender {}";
        String use = library + ".Offender a;";
        JavaClasses offenders = compile(directory.resolve("a"), librarian, offending("upstream.hosted", use));
        assertThat(RULES.get("http libraries").evaluate(offenders).hasViolation())
                .isTrue();
        JavaClasses users = compile(directory.resolve("b"), librarian, offending("upstream.http", use));
        assertThat(RULES.get("http libraries").evaluate(users).hasViolation()).isFalse();
    }

    @Test
    void failsOnACycle(@TempDir Path directory) throws IOException {
        String project = ArchitectureRules.PROJECT;
        JavaClasses offenders = compile(
                directory,
                offending("poll", project + ".control.Offender a;"),
                offending("control", project + ".poll.Offender a;"));
        assertThat(RULES.get("no cycles").evaluate(offenders).hasViolation()).isTrue();
    }

    @Test
    void hasAnOffenceForEveryRule() {
        Set<String> broken = new TreeSet<>(Set.of("upstreams apart", "no cycles", "http libraries"));
        offences().forEach(offence -> broken.add(offence.rule()));
        assertThat(broken).containsExactlyInAnyOrderElementsOf(RULES.keySet());
    }

    private static String offending(String packageName, String members) {
        return "package " + ArchitectureRules.PROJECT + "." + packageName + "; public class Offender { " + members
                + " }";
    }

    private static JavaClasses compile(Path directory, String... sources) throws IOException {
        List<String> arguments = new ArrayList<>(
                List.of("-proc:none", "-d", directory.toString(), "-cp", System.getProperty("java.class.path")));
        for (int i = 0; i < sources.length; i++) {
            Path file = Files.createDirectories(directory.resolve("source" + i)).resolve("Offender.java");
            Files.writeString(file, sources[i]);
            arguments.add(file.toString());
        }
        int failed = ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(new String[0]));
        assertThat(failed).as("compiler's exit code").isZero();
        return new ClassFileImporter().importPath(directory);
    }
}
