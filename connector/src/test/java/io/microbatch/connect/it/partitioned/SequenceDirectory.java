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
 * The upstream: a directory with a file per sequence, which contains the number of events of the sequence so far. It
 * also holds commands from the test and the connector's journal. Any thread of any process.
 */
public final class SequenceDirectory {

    /** The setting that names the directory. */
    public static final String KEY = "directory";

    private final Path directory;

    /** The directory must exist. */
    public SequenceDirectory(String directory) {
        this.directory = Path.of(directory);
    }

    /** The number of sequences, which are numbered from 0. */
    public int count() {
        int count = 0;
        while (Files.exists(sequence(count))) {
            count++;
        }
        return count;
    }

    /** The number of events of the sequence so far. */
    public long end(int sequence) {
        return read(sequence(sequence)).map(Long::parseLong).orElse(0L);
    }

    /** Sets the number of events of the sequence. A new sequence must have the next number. */
    public void write(int sequence, long end) {
        put(sequence(sequence), Long.toString(end));
    }

    /** Sends a command that the connector, or one of its tasks, executes once. */
    public void command(String command, String text) {
        put(directory.resolve("command-" + command), text);
    }

    /** Takes the text of a command, if there is one. */
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

    /** The journal in order. */
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

    /** Replaces the file atomically: a reader sees the old content or the new one. */
    private void put(Path file, String text) {
        try {
            Path draft = Files.writeString(directory.resolve("draft-" + file.getFileName()), text);
            Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
