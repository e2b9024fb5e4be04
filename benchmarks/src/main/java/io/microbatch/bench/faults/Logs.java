package io.microbatch.bench.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Stream;

/** What the processes of a run wrote, saved from the end of their directory. Stateless. */
public final class Logs {

    private Logs() {}

    /** Copies every log below a directory into another one, by its path below the first. */
    public static void keep(Path work, Path target) throws IOException {
        List<Path> logs;
        try (Stream<Path> files = Files.walk(work)) {
            logs = files.filter(file -> file.toString().endsWith(".log") && Files.isRegularFile(file))
                    // A log of Kafka's is a directory with segments of the same ending.
                    .filter(file -> !Files.exists(file.resolveSibling("leader-epoch-checkpoint")))
                    .toList();
        }
        for (Path log : logs) {
            Path copy = target.resolve(work.relativize(log).toString());
            Files.createDirectories(copy.getParent());
            Files.copy(log, copy, StandardCopyOption.REPLACE_EXISTING);
        }
    }
}
