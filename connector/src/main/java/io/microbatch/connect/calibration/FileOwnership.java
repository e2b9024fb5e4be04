package io.microbatch.connect.calibration;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;

/**
 * Allows one task per file: a lock on a file next to the database, which contains a description of its holder.
 *
 * <p>SQLite's own lock is not enough. Two plugin directories on one worker load SQLite twice. Each copy has its own
 * table of POSIX locks, and such locks never exclude the process that holds them. Java has one table of file locks per
 * JVM, which covers both copies. Between processes SQLite's lock decides, because a second task of the same JVM that
 * closes its channel drops this lock without notice.
 */
final class FileOwnership implements AutoCloseable {
    private static final int HOLDER_MAX_BYTES = 256;
    /** Far after the text, because on Windows others cannot read a locked region. */
    private static final long LOCKED_POSITION = 1L << 40;

    private final FileChannel channel;

    private FileOwnership(FileChannel channel) {
        this.channel = channel;
    }

    /** Throws LOCKED immediately, with the holder's description, if another task or process holds the lock. */
    static FileOwnership acquire(CalibrationPath path) throws CalibrationException {
        Path lockFile = path.lockFile();
        try {
            FileChannel channel = FileChannel.open(
                    lockFile,
                    Set.of(
                            StandardOpenOption.CREATE,
                            StandardOpenOption.READ,
                            StandardOpenOption.WRITE,
                            LinkOption.NOFOLLOW_LINKS),
                    CalibrationPath.ownerOnly("rw-------"));
            try {
                if (!lock(channel)) {
                    throw new CalibrationException(
                            CalibrationFault.LOCKED, path.file() + " is held by " + holder(channel));
                }
                describeHolder(channel);
                return new FileOwnership(channel);
            } catch (IOException | CalibrationException | RuntimeException e) {
                try {
                    channel.close();
                } catch (IOException closing) {
                    e.addSuppressed(closing);
                }
                throw e;
            }
        } catch (IOException e) {
            throw CalibrationException.of(e, lockFile);
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }

    private static boolean lock(FileChannel channel) throws IOException {
        try {
            FileLock lock = channel.tryLock(LOCKED_POSITION, 1, false);
            return lock != null;
        } catch (OverlappingFileLockException e) {
            return false;
        }
    }

    private static String holder(FileChannel channel) throws IOException {
        ByteBuffer text = ByteBuffer.allocate(HOLDER_MAX_BYTES);
        channel.read(text, 0);
        // The text is not trusted: the log gets one printable line of it.
        String holder = StandardCharsets.UTF_8.decode(text.flip()).toString().replaceAll("\\p{Cntrl}", " ");
        return holder.isBlank() ? "another task or process" : holder.strip();
    }

    private static void describeHolder(FileChannel channel) throws IOException {
        String text = "process " + ProcessHandle.current().pid() + ", thread "
                + Thread.currentThread().getName();
        channel.truncate(0);
        channel.write(StandardCharsets.UTF_8.encode(text), 0);
    }
}
