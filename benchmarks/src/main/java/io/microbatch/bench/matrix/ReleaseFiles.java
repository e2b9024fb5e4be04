package io.microbatch.bench.matrix;

import io.microbatch.bench.ExternalCommand;
import io.microbatch.testbed.TestbedHome;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Releases of Kafka, Debezium and PostgreSQL, resolved and copied by Maven when one is first used. One thread.
 *
 * @param cache the directory that keeps them
 */
record ReleaseFiles(Path cache) {

    private static final String PLUGIN = "org.apache.maven.plugins:maven-dependency-plugin:3.10.0:";
    private static final long LIMIT_MINUTES = 10;

    /** Fills a directory. */
    @FunctionalInterface
    private interface Filling {
        void into(Path directory) throws IOException;
    }

    /** The directory with the jars of a release of Kafka and Connect. */
    Path libs(KafkaRelease release) {
        return filled("kafka-" + release.version(), libs -> {
            Path pom = libs.resolveSibling(libs.getFileName() + ".xml");
            Path ignored = Files.writeString(pom, release.fill(template()));
            maven(libs, "copy-dependencies", "-f", pom.toString(), "-DincludeScope=runtime");
        });
    }

    /** A {@code plugin.path} entry with a release of Debezium's connector for PostgreSQL. */
    Path plugins(DebeziumRelease release) {
        return release == DebeziumRelease.OF_THE_BUILD
                ? TestbedHome.locate().plugins()
                : filled(
                        "debezium-" + release.version(),
                        plugins -> maven(plugins, "unpack", "-Dartifact=" + release.artifact()));
    }

    /** The jar with a release of PostgreSQL. */
    Path server(PostgresRelease release) {
        Path directory = filled(
                "postgres-" + release.version(), jars -> maven(jars, "copy", "-Dartifact=" + release.artifact()));
        try (Stream<Path> jars = Files.list(directory)) {
            return jars.findFirst().orElseThrow();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Fills a directory unless an earlier run has filled it to the end. */
    private Path filled(String name, Filling filling) {
        Path directory = cache.resolve(name);
        Path complete = cache.resolve(name + ".complete");
        try {
            if (!Files.exists(complete)) {
                Path ignored = Files.createDirectories(directory);
                filling.into(directory);
                Path written = Files.writeString(complete, "");
                assert written.equals(complete);
            }
            return directory;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void maven(Path output, String goal, String... options) {
        List<String> command =
                new ArrayList<>(List.of("mvn", "-B", "-ntp", "-q", PLUGIN + goal, "-DoutputDirectory=" + output));
        command.addAll(List.of(options));
        // Maven must not find this project's pom here.
        ExternalCommand.run(command, output, cache.resolve(output.getFileName() + ".log"), LIMIT_MINUTES);
    }

    private static String template() throws IOException {
        try (InputStream pom = ReleaseFiles.class.getResourceAsStream("release.xml")) {
            return new String(pom.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
