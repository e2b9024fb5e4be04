package io.microbatch.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Where the checkout is that the bench runs from, and what its build has made. Stateless. */
public final class BenchHome {

    private static final String ARCHIVES = "connector/target/components/packages";

    private BenchHome() {}

    /** The top of the checkout. */
    public static Path root() {
        return Path.of(System.getProperty("bench.root", ""));
    }

    /** The packaged plugin. */
    public static Path archive() {
        return archive(root());
    }

    /** The packaged plugin of another checkout. */
    public static Path archive(Path checkout) {
        Path directory = checkout.resolve(ARCHIVES);
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.toString().endsWith(".zip"))
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException("no plugin archive in " + directory));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
