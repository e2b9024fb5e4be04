package io.microbatch.testbed;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;

/**
 * Copies the files of a running PostgreSQL for a standby, with the functions that the server has for this. The Maven
 * artifacts have no {@code pg_basebackup}, and that of another version may refuse the server. Stateless; any thread.
 */
final class BaseBackup {

    /** The version with these functions under their present names. */
    private static final int RENAMED = 15;

    /** Directories whose files are of the running server only. The directories must be there. */
    private static final Set<String> EMPTY = Set.of(
            "pg_wal",
            "pg_replslot",
            "pg_dynshmem",
            "pg_notify",
            "pg_serial",
            "pg_snapshots",
            "pg_stat_tmp",
            "pg_subtrans");

    private static final Set<String> LEFT_OUT = Set.of("postmaster.pid", "postmaster.opts", "pg_internal.init");

    private BaseBackup() {}

    /**
     * Copies the data directory of a server into a new one. The server there begins as a standby.
     *
     * @throws IllegalStateException if the server refuses it
     */
    static void copy(PostgresServer server, Path data, Path target) {
        try (Connection connection = server.connect();
                Statement sql = connection.createStatement()) {
            boolean isRenamed = connection.getMetaData().getDatabaseMajorVersion() >= RENAMED;
            boolean ignored = sql.execute(
                    isRenamed
                            ? "SELECT pg_backup_start('standby', true)"
                            : "SELECT pg_start_backup('standby', true, false)");
            copyFiles(data, target);
            try (ResultSet end = sql.executeQuery("SELECT labelfile FROM "
                    + (isRenamed ? "pg_backup_stop(false)" : "pg_stop_backup(false, false)"))) {
                ignored = end.next();
                Files.writeString(target.resolve("backup_label"), end.getString(1));
            }
            Files.createFile(target.resolve("standby.signal"));
        } catch (SQLException e) {
            throw new IllegalStateException("PostgreSQL refused to be copied", e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void copyFiles(Path data, Path target) throws IOException {
        Path ignored = Files.walkFileTree(data, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes)
                    throws IOException {
                // The server refuses a directory that others may read.
                Path created = Files.createDirectory(
                        target.resolve(data.relativize(directory)),
                        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
                boolean isEmpty = EMPTY.contains(created.getFileName().toString());
                return isEmpty ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                if (!LEFT_OUT.contains(file.getFileName().toString())) {
                    try {
                        Files.copy(file, target.resolve(data.relativize(file)));
                    } catch (NoSuchFileException e) {
                        // The server has removed it since. Its log tells the standby so.
                        return FileVisitResult.CONTINUE;
                    }
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
        });
    }
}
