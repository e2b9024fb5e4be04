package io.microbatch.bench.load;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;

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
        Search search = new Search(spec.layout().names(spec.topic()));
        try {
            Path ignored = Files.walkFileTree(directory, search);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new TopicFiles(List.copyOf(search.found));
    }

    /** Passes over what is gone: brokers that run create and rename files meanwhile, such as their checkpoints. */
    static final class Search extends SimpleFileVisitor<Path> {

        private final List<String> topics;
        private final List<Path> found = new ArrayList<>();

        Search(List<String> topics) {
            this.topics = topics;
        }

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (file.toString().endsWith(".log") && topics.contains(topicOf(file))) {
                found.add(file);
            }
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
            if (failure instanceof NoSuchFileException) {
                return FileVisitResult.CONTINUE;
            }
            throw failure;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path directory, IOException failure) throws IOException {
            return failure == null ? FileVisitResult.CONTINUE : visitFileFailed(directory, failure);
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
