package io.microbatch.bench;

import io.microbatch.testbed.PluginArchive;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;

/**
 * The archives of older commits of this project, built by Maven when they are first used, which needs the history and
 * may need a network. One thread.
 */
public final class BuiltArchive {

    private static final long GIT_MINUTES = 1;
    private static final long MAVEN_MINUTES = 20;

    private final Path checkout = BenchHome.root();
    private final Path cache = checkout.resolve("benchmarks/target/older");

    /**
     * The archive of a commit.
     *
     * @param commit one of the names that git has for it
     * @throws UncheckedIOException if git does not know it or its build fails
     */
    public Path of(String commit) {
        try {
            Path ignored = Files.createDirectories(cache);
            String hash = hash(commit);
            Path archive = cache.resolve(hash + ".zip");
            if (!Files.exists(archive)) {
                build(hash, archive);
            }
            return archive;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String hash(String commit) throws IOException {
        Path answer = cache.resolve("commit");
        git(answer, "rev-parse", "--verify", commit + "^{commit}");
        return Files.readString(answer).strip();
    }

    private void build(String hash, Path archive) throws IOException {
        Path directory = Files.createDirectories(cache.resolve(hash));
        Path sources = directory.resolve("sources.zip");
        git(directory.resolve("git.log"), "archive", "--format=zip", "--output=" + sources, hash);
        PluginArchive.unpack(sources, directory);
        ExternalCommand.run(
                List.of("mvn", "-B", "-ntp", "-q", "-DskipTests", "package", "-pl", "connector", "-am"),
                directory,
                directory.resolve("maven.log"),
                MAVEN_MINUTES);
        // A build that is interrupted leaves no archive under this name.
        Path ignored = Files.move(BenchHome.archive(directory), archive, StandardCopyOption.ATOMIC_MOVE);
    }

    private void git(Path output, String... arguments) {
        List<String> command = new ArrayList<>(List.of("git", "--no-optional-locks"));
        command.addAll(List.of(arguments));
        ExternalCommand.run(command, checkout, output, GIT_MINUTES);
    }
}
