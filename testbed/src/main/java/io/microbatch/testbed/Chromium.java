package io.microbatch.testbed;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The headless Chromium that is installed, run once per call with a profile of its own. One thread. */
public final class Chromium {

    private static final List<String> NAMES = List.of("chromium", "chromium-browser", "google-chrome");
    private static final long LIMIT_SECONDS = 120;

    /** Nothing but the page: no updates, no services, and no name but this machine resolves. */
    private static final List<String> ALONE = List.of(
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--hide-scrollbars",
            "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
            "--enable-logging=stderr");

    private final Path binary;
    private final Path work;

    private Chromium(Path binary, Path work) {
        this.binary = binary;
        this.work = work;
    }

    /** What a run left: the page's document as it was in the end, and what was logged. */
    public record Seen(String document, String log) {}

    /** The one on the path, working in this directory. Empty where none is installed. */
    public static Optional<Chromium> installed(Path work) {
        return Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .flatMap(directory -> NAMES.stream().map(name -> Path.of(directory, name)))
                .filter(Files::isExecutable)
                .findFirst()
                .map(found -> new Chromium(found, work));
    }

    /** Opens a file, and answers its document when all of it is loaded. */
    public Seen open(Path page, int width, int height) throws IOException, InterruptedException {
        return run(page.toUri(), width, height, "--dump-dom");
    }

    /** A picture of the upper left of a file. */
    public void picture(Path page, int width, int height, Path png) throws IOException, InterruptedException {
        Seen ignored = run(page.toUri(), width, height, "--screenshot=" + png.toAbsolutePath());
    }

    /**
     * Opens an address of this machine, lets the page's timers run for a time, and answers its document.
     *
     * @param virtualMs the time that passes for the page, in milliseconds
     * @param more further options of the command line
     */
    public Seen open(URI page, int width, int height, int virtualMs, String... more)
            throws IOException, InterruptedException {
        List<String> options = new ArrayList<>(List.of(more));
        options.add("--virtual-time-budget=" + virtualMs);
        options.add("--dump-dom");
        return run(page, width, height, options.toArray(String[]::new));
    }

    /** A picture of an address of this machine, as {@link #open(URI, int, int, int, String...)} opens it. */
    public void picture(URI page, int width, int height, int virtualMs, Path png, String... more)
            throws IOException, InterruptedException {
        List<String> options = new ArrayList<>(List.of(more));
        options.add("--virtual-time-budget=" + virtualMs);
        options.add("--screenshot=" + png.toAbsolutePath());
        Seen ignored = run(page, width, height, options.toArray(String[]::new));
    }

    /** Prints a file on as many pages as its style says, without a header and a footer. */
    public void print(Path page, Path pdf) throws IOException, InterruptedException {
        Seen ignored = run(page.toUri(), 0, 0, "--no-pdf-header-footer", "--print-to-pdf=" + pdf.toAbsolutePath());
    }

    private Seen run(URI page, int width, int height, String... what) throws IOException, InterruptedException {
        Path out = Files.createTempFile(work, "document", ".html");
        Path log = Files.createTempFile(work, "chromium", ".log");
        List<String> command = new ArrayList<>(List.of(binary.toString()));
        command.addAll(ALONE);
        command.add("--user-data-dir=" + Files.createTempDirectory(work, "profile"));
        command.add("--window-size=" + width + "," + height);
        command.addAll(List.of(what));
        command.add(page.toString());
        Process process = new ProcessBuilder(command)
                .redirectOutput(out.toFile())
                .redirectError(log.toFile())
                .start();
        try {
            if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException("Chromium did not end: " + Files.readString(log));
            }
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
        return new Seen(Files.readString(out), new String(Files.readAllBytes(log), StandardCharsets.ISO_8859_1));
    }
}
