package io.microbatch.testbed;

import io.zonky.test.db.postgres.embedded.DefaultPostgresBinaryResolver;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import io.zonky.test.db.postgres.embedded.PgBinaryResolver;
import java.io.ByteArrayInputStream;
import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/** A PostgreSQL unpacked from Maven artifacts and run as a process. Used by one thread at a time. */
final class PostgresProcess extends PostgresServer {

    private static final Duration STOP_GRACE = Duration.ofSeconds(10);
    private static final String DATA = "data";
    private static final String SLOT = "standby";

    /** PostgreSQL refuses to run as root. In a user namespace of its own root is another user. */
    private static final List<String> NEW_USER_NAMESPACE = List.of("unshare", "-U");

    private static final String ROOT_REFUSED = "PostgreSQL does not run as root, and root cannot make a user namespace"
            + " here (unshare -U), for example because Docker's default profile forbids it. Run this as another user,"
            + " or start the container with --privileged";

    private final Closeable started;
    private final Path data;
    private final List<String> command;
    private final ServerProcess again;
    private final ShutdownGuard.Registration registration;

    /**
     * A server with its data in {@code directory}.
     *
     * @param started ends the server, if it was not started by {@link #restart}
     * @param command starts it
     */
    private PostgresProcess(int port, Closeable started, Path directory, List<String> command) {
        super(port);
        this.started = started;
        this.data = directory.resolve(DATA);
        this.command = command;
        this.again = new ServerProcess("postgres-again", command, directory);
        this.registration = ShutdownGuard.register(this::stop);
    }

    /** Unpacks the server of the class path, starts it and returns when it accepts connections. */
    static PostgresServer start(Path directory, int port, Map<String, String> settings) {
        DefaultPostgresBinaryResolver binaries = DefaultPostgresBinaryResolver.INSTANCE;
        // The builder caches the unpacked binaries per resolver. A new resolver unpacks into our directory.
        return start(directory, port, settings, (system, machine) -> binaries.getPgBinary(system, machine));
    }

    /** The same with the server of a jar. */
    static PostgresServer start(Path directory, int port, Map<String, String> settings, Path jar) {
        return start(directory, port, settings, (system, machine) -> packed(jar));
    }

    private static InputStream packed(Path jar) throws IOException {
        try (ZipFile zip = new ZipFile(jar.toFile())) {
            ZipEntry packed = zip.stream()
                    .filter(entry -> entry.getName().endsWith(".txz"))
                    .findFirst()
                    .orElseThrow(() -> new IOException(jar + " has no server"));
            return new ByteArrayInputStream(zip.getInputStream(packed).readAllBytes());
        }
    }

    private static PostgresServer start(
            Path directory, int port, Map<String, String> settings, PgBinaryResolver binaries) {
        if (isRoot() && !canEnterNamespace(NEW_USER_NAMESPACE)) {
            throw new IllegalStateException(ROOT_REFUSED);
        }
        File log = directory.resolve("postgres.log").toFile();
        // Otherwise an empty directory remains in the system's temporary directory, with any settings of the builder.
        System.setProperty("ot.epg.working-dir", directory.toString());
        EmbeddedPostgres.Builder builder = EmbeddedPostgres.builder()
                .setPort(port)
                .setPgBinaryResolver(binaries)
                .setOverrideWorkingDirectory(directory.resolve("binaries").toFile())
                .setDataDirectory(directory.resolve(DATA))
                .setPGStartupWait(START_LIMIT)
                .setRegisterShutdownHook(false)
                .setOutputRedirector(ProcessBuilder.Redirect.appendTo(log))
                .setErrorRedirector(ProcessBuilder.Redirect.appendTo(log));
        settings.forEach(builder::setServerConfig);
        builder.setServerConfig("unix_socket_directories", "");
        return ShutdownGuard.startGuarded(() -> start(builder, log, directory));
    }

    private static PostgresServer start(EmbeddedPostgres.Builder builder, File log, Path directory) {
        try {
            EmbeddedPostgres postgres = builder.start();
            return new PostgresProcess(postgres.getPort(), postgres, directory, command(directory.resolve(DATA)));
        } catch (IOException e) {
            throw new UncheckedIOException("PostgreSQL did not start; its log is " + log, e);
        }
    }

    private static boolean isRoot() {
        return System.getProperty("user.name").equals("root");
    }

    /** Whether a command can be run behind this one. */
    static boolean canEnterNamespace(List<String> prefix) {
        List<String> probe = new ArrayList<>(prefix);
        probe.add("true");
        try {
            Process process = new ProcessBuilder(probe)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return process.waitFor() == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /**
     * The command that the server has recorded at its start, to start it again. It refuses to run as a child of root.
     */
    private static List<String> command(Path data) {
        List<String> command = new ArrayList<>();
        if (isRoot()) {
            command.addAll(NEW_USER_NAMESPACE);
        }
        try {
            Matcher words =
                    Pattern.compile("\"([^\"]*)\"|(\\S+)").matcher(Files.readString(data.resolve("postmaster.opts")));
            while (words.find()) {
                command.add(words.group(1) != null ? words.group(1) : words.group(2));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return command;
    }

    @Override
    public void kill() {
        long pid = pid();
        Signals.send("QUIT", pid);
        // The object of a process notices its end later than the kernel, and restart asks it.
        Await.until(
                "the end of PostgreSQL",
                START_LIMIT,
                () -> ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isEmpty() && !again.isAlive(),
                () -> "still there");
    }

    @Override
    public PostgresServer standby(Path workDir, int primaryPort) {
        Path directory = JavaCommand.directory(workDir, "standby");
        Path copy = directory.resolve(DATA);
        // Without a slot the primary may remove the log that the standby needs from the beginning of the copy.
        execute("SELECT pg_create_physical_replication_slot('" + SLOT + "', true)");
        BaseBackup.copy(this, data, copy);
        int port = Ports.free();
        Map<String, String> changed =
                Map.of(data.toString(), copy.toString(), Integer.toString(port()), Integer.toString(port));
        List<String> options = new ArrayList<>(
                command.stream().map(word -> changed.getOrDefault(word, word)).toList());
        options.addAll(List.of("-c", "primary_conninfo=host=" + host() + " port=" + primaryPort + " user=" + user()));
        options.addAll(List.of("-c", "primary_slot_name=" + SLOT));
        PostgresProcess standby = new PostgresProcess(port, () -> {}, directory, options);
        standby.restart();
        return standby;
    }

    /** The process id that the server has recorded, because its starter may have been another process. */
    @Override
    public long pid() {
        try {
            return Long.parseLong(
                    Files.readAllLines(data.resolve("postmaster.pid")).get(0));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void restart() {
        again.start(START_LIMIT, this::answers);
    }

    @Override
    public void close() {
        stop();
        registration.close();
    }

    private void stop() {
        try {
            again.stop(STOP_GRACE);
            started.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
