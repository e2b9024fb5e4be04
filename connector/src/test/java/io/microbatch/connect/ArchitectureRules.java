package io.microbatch.connect;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.conditions.ArchConditions.be;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchRule;
import java.net.http.HttpClient;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The rules of the architecture, by name. Each rule says what to do instead. Stateless. */
final class ArchitectureRules {

    static final String PROJECT = "io.microbatch.connect";

    /** The only classes that are run by an operator and not by a worker. */
    private static final DescribedPredicate<JavaClass> WORKER_CLASS = describe(
            "are no command line",
            type -> !Set.of(PROJECT + ".console.AdviseCommand", PROJECT + ".cli.Microbatch")
                    .contains(type.getName()));

    /** The packages of the project that each package may import. A new package needs a line here. */
    static final Map<String, Set<String>> IMPORTS = Map.ofEntries(
            Map.entry("config", Set.of("pressure")),
            Map.entry("stripe", Set.of()),
            Map.entry("ack", Set.of("pressure")),
            Map.entry("pressure", Set.of()),
            Map.entry("common", Set.of()),
            Map.entry("bulk", Set.of("common")),
            Map.entry("transforms", Set.of("bulk", "common", "pressure")),
            Map.entry("control", Set.of("pressure")),
            Map.entry("poll", Set.of("stripe", "control", "ack", "pressure")),
            Map.entry("calibration", Set.of("learning", "pressure")),
            Map.entry("learning", Set.of("ack", "control", "pressure")),
            Map.entry("metrics", Set.of()),
            // Reads this connector's figures like those of any other: from MBeans.
            Map.entry("console", Set.of("common")),
            // Programs of an operator. No worker runs them.
            Map.entry("migrate", Set.of("console")),
            Map.entry("cli", Set.of("console", "migrate")),
            // Packed records are another source of a batch, which poll defines.
            Map.entry("packing", Set.of("stripe", "ack", "bulk", "poll")),
            Map.entry("upstream", Set.of("stripe", "ack", "config", "common", "metrics")),
            // Conversion is a stage between upstream and stripe, which upstream defines. No upstream knows it.
            Map.entry("convert", Set.of("upstream", "config", "common")));

    private ArchitectureRules() {}

    static Map<String, ArchRule> all() {
        Map<String, ArchRule> rules = new LinkedHashMap<>();
        IMPORTS.forEach((name, allowed) -> rules.put(name + " imports", imports(name, allowed)));
        rules.put("known packages", onlyKnownPackages());
        rules.put("upstreams apart", upstreamsApart());
        rules.put("upstream base", upstreamBaseKnowsNoUpstream());
        rules.put("debezium", debeziumKnowsNoHost());
        rules.put("no cycles", noCycles());
        rules.put("pure", pure());
        rules.put("database", databasesApart());
        rules.put("calibration file", fileOnlyInCalibration());
        rules.put("outbox driver", driverOnlyInOutbox());
        rules.put("http libraries", httpLibrariesOnlyInHttp());
        rules.put("rest only in console", restOnlyInConsole());
        rules.put("no sleep", never("sleep", Thread.class, "park with a deadline and a wake-up, or inject the clock"));
        rules.put(
                "whole answers",
                never("send", HttpClient.class, "its limit ends with the headers of the answer: use WholeAnswer"));
        rules.put("no exit", never("exit", System.class, "throw: the worker runs other connectors too"));
        rules.put("no console", noConsole());
        rules.put("no driver manager", noDriverManager());
        rules.put("no secrets in texts", noSecretsInTexts());
        return rules;
    }

    private static ArchRule imports(String name, Set<String> allowed) {
        DescribedPredicate<JavaClass> foreign =
                describe("belong to another package of the project", c -> ofTheProject(c) && !partOf(c, name, allowed));
        return noClasses()
                .that()
                .resideInAPackage(PROJECT + "." + name + "..")
                .should()
                .dependOnClassesThat(foreign)
                .as(name + " imports of the project " + (allowed.isEmpty() ? "nothing" : "only " + allowed))
                .because("the stages are wired in TaskWiring: pass values as arguments or through a small interface "
                        + "of " + name
                        + "'s own, or change the table in architecture.md and here, with a decision record")
                .allowEmptyShould(false);
    }

    private static boolean ofTheProject(JavaClass type) {
        return type.getPackageName().equals(PROJECT) || type.getPackageName().startsWith(PROJECT + ".");
    }

    private static boolean partOf(JavaClass type, String name, Set<String> allowed) {
        String part = part(type);
        return part.equals(name) || allowed.contains(part);
    }

    /** The first package name after the project's own. Empty for the top package. */
    private static String part(JavaClass type) {
        String inside = type.getPackageName().substring(PROJECT.length());
        return inside.isEmpty()
                ? ""
                : List.of(inside.substring(1).split("\\.", -1)).get(0);
    }

    private static ArchRule onlyKnownPackages() {
        DescribedPredicate<JavaClass> unknown = describe(
                "reside in a package without a line in the import table",
                c -> !part(c).isEmpty() && !IMPORTS.containsKey(part(c)));
        return noClasses()
                .should(be(unknown))
                .because("such a package could import anything: add its line here and in architecture.md");
    }

    private static ArchRule upstreamsApart() {
        return slices().matching(PROJECT + ".upstream.(*)..")
                .should()
                .notDependOnEachOther()
                .because("the SPI is the only way to an upstream: code that two of them share belongs to upstream");
    }

    private static ArchRule upstreamBaseKnowsNoUpstream() {
        return noClasses()
                .that()
                .resideInAPackage(PROJECT + ".upstream")
                .should()
                .dependOnClassesThat()
                .resideInAPackage(PROJECT + ".upstream.*..")
                .because("the SPI knows no upstream by name: add a method to the SPI, and choose in TaskWiring");
    }

    private static ArchRule debeziumKnowsNoHost() {
        return noClasses()
                .that()
                .resideInAPackage(PROJECT + ".upstream.hosted.debezium")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(PROJECT + ".upstream", PROJECT + ".upstream.hosted")
                .because("the code for Debezium is tested without the hosting code: pass values in");
    }

    private static ArchRule noCycles() {
        return slices().matching(PROJECT + ".(*)..")
                .should()
                .beFreeOfCycles()
                .because("dependencies have one direction: invert one of them with an interface in the lower package");
    }

    private static ArchRule pure() {
        return noClasses()
                .that()
                .resideInAnyPackage(PROJECT + ".control..", PROJECT + ".learning..", PROJECT + ".pressure..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.apache.kafka..", "java.io..", "java.nio..", "java.sql..")
                .because("decisions are replayed in tests without a worker: pass numbers in, and do the I/O outside");
    }

    private static ArchRule databasesApart() {
        return noClasses()
                .that()
                .resideOutsideOfPackages(PROJECT + ".calibration..", PROJECT + ".upstream.outbox..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("java.sql..")
                .because("a database is a file of calibration or an upstream: use CalibrationFile, or the SPI");
    }

    private static ArchRule fileOnlyInCalibration() {
        return noClasses()
                .that()
                .resideOutsideOfPackage(PROJECT + ".calibration..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.sqlite..")
                .because("delivery never depends on the file: use CalibrationFile");
    }

    private static ArchRule driverOnlyInOutbox() {
        return noClasses()
                .that()
                .resideOutsideOfPackage(PROJECT + ".upstream.outbox..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.postgresql..")
                .because("the driver belongs to the upstream that reads the outbox: pass records through the SPI");
    }

    private static ArchRule httpLibrariesOnlyInHttp() {
        return noClasses()
                .that()
                .resideOutsideOfPackages(PROJECT + ".upstream.http..", PROJECT + ".console..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.netty..", "com.fasterxml..")
                .because("server and JSON parser belong to the upstream that answers clients: pass records and "
                        + "figures through the SPI");
    }

    private static ArchRule restOnlyInConsole() {
        return noClasses()
                .that()
                .resideOutsideOfPackage(PROJECT + ".console..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("jakarta..", "org.apache.kafka.connect.rest..", "org.apache.kafka.connect.health..")
                .because("a task must run on a worker without these classes: only the console is a REST extension");
    }

    private static ArchRule never(String method, Class<?> owner, String instead) {
        return noClasses()
                .that(WORKER_CLASS)
                .should()
                .callMethodWhere(
                        describe(owner.getSimpleName() + "." + method, call -> calls(call.getTarget(), owner, method)))
                .because(instead);
    }

    private static boolean calls(AccessTarget target, Class<?> owner, String method) {
        return target.getName().equals(method) && target.getOwner().isAssignableTo(owner);
    }

    private static ArchRule noConsole() {
        return noClasses()
                .that(WORKER_CLASS)
                .should()
                .accessField(System.class, "out")
                .orShould()
                .accessField(System.class, "err")
                .because("a worker's console belongs to its operator: use the class's slf4j logger");
    }

    private static ArchRule noDriverManager() {
        return noClasses()
                .should()
                .dependOnClassesThat()
                .haveFullyQualifiedName("java.sql.DriverManager")
                .because("DriverManager finds other plugins' drivers and leaks ours: create the connection "
                        + "from the driver's own class, as SqliteFile does");
    }

    private static ArchRule noSecretsInTexts() {
        return noClasses()
                .that()
                .resideInAPackage(PROJECT + ".config..")
                .should(be(describe("records with a map and the compiler's toString", ArchitectureRules::printsAMap)))
                .because("a map of settings holds passwords, and the toString of a record prints it: "
                        + "write a toString that prints the number of entries");
    }

    /** The compiler's toString is generated by the JVM and reads no fields in the bytecode. A written one does. */
    private static boolean printsAMap(JavaClass type) {
        return type.isRecord()
                && type.getFields().stream()
                        .anyMatch(field -> field.getRawType().isAssignableTo(Map.class))
                && type.getMethod("toString").getAccessesFromSelf().isEmpty();
    }
}
