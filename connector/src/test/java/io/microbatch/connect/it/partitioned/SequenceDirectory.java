package io.microbatch.connect.it.partitioned;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;

/**
 * The upstream: a directory with a file for each sequence, which holds how many events the sequence has so far. It also
 * carries commands from the test to the connector, and the connector's journal back. Any thread of any process.
 */
public final class SequenceDirectory {

    /** The setting that names the directory. */
    public static final String KEY = "directory";

    private final Path directory;

    /** The directory must exist. */
    public SequenceDirectory(String directory) {
        this.directory = Path.of(directory);
    }

    /** Sequences that there are, numbered from 0. */
    public int count() {
        int count = 0;
        while (Files.exists(sequence(count))) {
            count++;
        }
        return count;
    }

    /** Events of the sequence so far. */
    public long end(int sequence) {
        return read(sequence(sequence)).map(Long::parseLong).orElse(0L);
    }

    /** From now on the sequence has so many events; a new one must follow the last. */
    public void write(int sequence, long end) {
        put(sequence(sequence), Long.toString(end));
    }

    /** Tells the connector, or one of its tasks, to do something once. */
    public void command(String command, String text) {
        put(directory.resolve("command-" + command), text);
    }

    /** The text of a command, for the one that takes it. */
    Optional<String> take(String command) {
        Path taken = directory.resolve("taken-" + command);
        try {
            Files.move(directory.resolve("command-" + command), taken, StandardCopyOption.ATOMIC_MOVE);
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return read(taken);
    }

    void note(String line) {
        try {
            Files.writeString(
                    directory.resolve("journal"), line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What was noted, in order. */
    public List<String> journal() {
        return read(directory.resolve("journal")).map(String::lines).stream()
                .flatMap(lines -> lines)
                .toList();
    }

    private Path sequence(int number) {
        return directory.resolve("sequence-" + number);
    }

    private static Optional<String> read(Path file) {
        try {
            return Optional.of(Files.readString(file));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A reader sees the old content or the new one. */
    private void put(Path file, String text) {
        try {
            Path draft = Files.writeString(directory.resolve("draft-" + file.getFileName()), text);
            Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
