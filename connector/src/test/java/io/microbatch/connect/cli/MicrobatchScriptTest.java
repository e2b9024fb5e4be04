package io.microbatch.connect.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the archive's {@code bin/microbatch} passes to Java. {@code CommandLineIT} runs it with a real one. */
class MicrobatchScriptTest {

    private static final Path SCRIPT =
            Path.of("src", "main", "assembly", "bin", "microbatch").toAbsolutePath();

    @TempDir
    private Path directory;

    private record Ended(int status, List<String> lines) {}

    /** A Java that prints its arguments. */
    @BeforeEach
    void installJava() throws IOException {
        Path java = Files.createDirectories(directory.resolve("jdk/bin")).resolve("java");
        Files.writeString(java, "#!/bin/sh\nprintf '%s\\n' \"$@\"\n");
        assertThat(java.toFile().setExecutable(true)).isTrue();
    }

    private Ended run(Map<String, String> environment, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("sh", SCRIPT.toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true);
        builder.environment().remove("MICROBATCH_JAVA_ARGS");
        builder.environment().put("JAVA_HOME", directory.resolve("jdk").toString());
        builder.environment().putAll(environment);
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        return new Ended(process.exitValue(), output.lines().toList());
    }

    @Test
    void passesTheArgumentsToTheProgram() throws IOException, InterruptedException {
        Ended ended = run(Map.of(), "migrate", "--set", "a=b c");

        assertThat(ended.lines())
                .startsWith("-cp")
                .endsWith("io.microbatch.connect.cli.Microbatch", "migrate", "--set", "a=b c");
        assertThat(ended.status()).isZero();
    }

    /** A password in this file is in no list of processes, and Java does not print it. */
    @Test
    void passesAFileOfArgumentsToJava() throws IOException, InterruptedException {
        Files.writeString(directory.resolve("my java.args"), "-Dsecret=hunter2");

        Ended ended = run(Map.of("MICROBATCH_JAVA_ARGS", "my java.args"), "advise", "a b");

        assertThat(ended.lines())
                .startsWith("@my java.args", "-cp")
                .endsWith("io.microbatch.connect.cli.Microbatch", "advise", "a b");
        assertThat(ended.lines()).noneMatch(line -> line.contains("hunter2"));
        assertThat(ended.status()).isZero();
    }

    @Test
    void saysThatTheFileOfArgumentsCannotBeRead() throws IOException, InterruptedException {
        Ended ended = run(Map.of("MICROBATCH_JAVA_ARGS", "absent.args"), "advise");

        assertThat(ended.lines())
                .containsExactly("microbatch: cannot read absent.args, which MICROBATCH_JAVA_ARGS names");
        assertThat(ended.status()).isEqualTo(2);
    }
}
