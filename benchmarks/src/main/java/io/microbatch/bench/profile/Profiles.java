package io.microbatch.bench.profile;

import io.microbatch.bench.BenchHome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Where the named workloads and drivers are. Stateless. */
public final class Profiles {

    private static final String SUFFIX = ".yaml";

    private Profiles() {}

    /** A workload by name. */
    public static Path workload(String name) {
        return find("workloads", name);
    }

    /** A driver by name. */
    public static Path driver(String name) {
        return find("drivers", name);
    }

    private static Path find(String kind, String name) {
        Path directory = BenchHome.root().resolve("benchmarks/profiles").resolve(kind);
        Path file = directory.resolve(name + SUFFIX);
        if (!Files.isReadable(file)) {
            throw new ProfileException(
                    "no " + name + " among the " + kind + "; there are " + String.join(", ", names(directory)));
        }
        return file;
    }

    private static List<String> names(Path directory) {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(Profiles::name).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A file's name without its ending. */
    static String name(Path file) {
        String name = file.getFileName().toString();
        return name.endsWith(SUFFIX) ? name.substring(0, name.length() - SUFFIX.length()) : name;
    }
}
