package io.microbatch.bench.load;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The files in which brokers of this machine keep the records of some topics. Immutable.
 *
 * @param segments the log segments, without their indexes
 */
public record TopicFiles(List<Path> segments) {

    /**
     * Looks for those of the topics of a run.
     *
     * @param directory a directory above those of the brokers
     * @throws UncheckedIOException if a directory cannot be read
     */
    public static TopicFiles of(Path directory, LoadSpec spec) {
        List<String> names = spec.layout().names(spec.topic());
        try (Stream<Path> files = Files.walk(directory)) {
            return new TopicFiles(files.filter(file -> file.toString().endsWith(".log"))
                    .filter(file -> names.contains(topicOf(file)))
                    .toList());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A segment lies in a directory that is named after topic and partition. */
    private static String topicOf(Path file) {
        return file.getParent().getFileName().toString().replaceFirst("-[0-9]+$", "");
    }

    /** Their size in megabytes (10^6 bytes), as compressed and with all that is not an event. */
    public double mb() {
        return segments.stream().mapToLong(file -> file.toFile().length()).sum() / 1e6;
    }
}
