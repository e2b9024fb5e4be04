package io.microbatch.connect.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.microbatch.connect.it.Cluster.Mode;
import io.microbatch.testbed.Await;
import io.microbatch.testbed.Chromium;
import io.microbatch.testbed.ConnectRestException;
import io.microbatch.testbed.ConnectWorker;
import io.microbatch.testbed.InstalledProgram;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * The picture of the console in the pages: a real worker with a plain connector and one of this project's, as Chromium
 * shows it. {@code -Ddocs.write=true} writes it; the figures are those of that run. Without it the page is printed and
 * read all the same.
 */
@ExtendWith(Cluster.Shared.class)
class ConsolePictureIT {

    private static final Path IMAGE = Path.of("..", "docs", "images", "console.svg");

    private static final boolean WRITE = Boolean.getBoolean("docs.write");

    private static final Duration PATIENCE = Duration.ofMinutes(WRITE ? 14 : 4);
    private static final long LIMIT_SECONDS = 60;

    private static final String GROUP = "console-picture";
    private static final String PLAIN = "inventory";
    private static final String OURS = "orders";
    private static final String TASKS = "/microbatch/v1/tasks?rates=true&p99=100";

    /** A sample is 5 s. In a plot that is written the task has had time to learn. */
    private static final int SAMPLES = WRITE ? 90 : 2;

    /** The page asks once in this time. */
    private static final int VIRTUAL_MS = 4_000;

    /** Chromium takes the processors for a second, which the figures of a task may show. */
    private static final int TRIES = 6;

    private static final int WIDTH = 1260;
    private static final int HEIGHT = 1000;
    private static final int MAX_CHARACTERS = 300_000;

    private static final Pattern PATH = Pattern.compile(" d=\"[^\"]*\"");

    /** More of them than a screen can show. */
    private static final Pattern DECIMALS = Pattern.compile("(\\.\\d{2})\\d+");

    /** What a printed page needs in place of a window: a size, its colours, and no scripts. */
    private static final String PRINTED = """
            <style>@page { size: %dpx %dpx; margin: 0 } * { print-color-adjust: exact }
            html { background: #ffffff }</style></head>""".formatted(WIDTH, HEIGHT);

    private final Cluster cluster;

    @TempDir
    private Path work;

    ConsolePictureIT(Cluster cluster) {
        this.cluster = cluster;
    }

    /** A picture shows one connector that is well. Without one, an advice is enough. */
    private static boolean isWanted(String page) {
        return WRITE
                ? page.contains("verdict leave")
                : page.contains("transaction.boundary")
                        && !page.contains("No new figures")
                        && !page.contains("Loading");
    }

    @Test
    void aPrintedPageShowsBothConnectorsAndAnAdvice() throws IOException, InterruptedException {
        Optional<Chromium> chromium = Chromium.installed(work);
        assumeTrue(chromium.isPresent(), "no Chromium on this machine: install the package chromium to run this test");
        assumeTrue(
                InstalledProgram.exists("pdftocairo") && InstalledProgram.exists("pdftotext"),
                "no pdftocairo on this machine: install the package poppler-utils to run this test");
        Path page = Path.of("target", "console-picture.html");
        try (ConnectWorker worker = cluster.worker(Mode.EXACTLY_ONCE, GROUP)
                .property("group.id", GROUP)
                .property("rest.extension.classes", "io.microbatch.connect.console.ConsoleExtension")
                // Averages of some seconds, so that those of the start are soon gone.
                .property("metrics.sample.window.ms", "5000")
                .start()) {
            createConnectors(worker);
            Chromium.Seen seen = see(chromium.get(), worker);
            for (int i = 1; i < TRIES && !isWanted(seen.document()); i++) {
                seen = see(chromium.get(), worker);
            }
            assertThat(seen.log()).as("messages of the page").doesNotContain("CONSOLE");
            assertThat(!WRITE || seen.document().contains("verdict leave"))
                    .as("a picture in which one of the two is well")
                    .isTrue();
            String style =
                    worker.rest().call("GET", "/microbatch/console.css", null).asText();
            Path ignored = Files.writeString(page, printable(seen.document(), style));
            worker.rest().delete(PLAIN);
            worker.rest().delete(OURS);
        }
        Path pdf = work.resolve("page.pdf");
        chromium.get().print(page, pdf);
        run(
                "pdftotext",
                "-layout",
                "-l",
                "1",
                pdf.toString(),
                work.resolve("page.txt").toString());
        assertThat(Files.readString(work.resolve("page.txt")))
                .contains(PLAIN + " / 0", OURS + " / 0", "2 source tasks")
                .contains("What should I change?", "transaction.boundary", "Why is it slow?", "commit")
                .doesNotContain("Loading", "No new figures");
        Path svg = work.resolve("page.svg");
        run("pdftocairo", "-svg", "-l", "1", pdf.toString(), svg.toString());
        String picture = PATH.matcher(Files.readString(svg))
                .replaceAll(path -> DECIMALS.matcher(path.group()).replaceAll("$1"));
        assertThat(picture)
                .startsWith("<?xml")
                .doesNotContain("<script", "file:", "http://127", System.getProperty("user.dir"));
        if (WRITE) {
            // Another machine has other fonts, and a name that may be a word of the page.
            assertThat(picture).hasSizeLessThan(MAX_CHARACTERS);
            assertThat(Files.readString(work.resolve("page.txt")))
                    .doesNotContain(InetAddress.getLocalHost().getHostName());
            assertThat(Files.createDirectories(IMAGE.getParent())).isDirectory();
            assertThat(Files.writeString(IMAGE, picture)).exists();
        }
        assertThat(IMAGE).isNotEmptyFile();
    }

    /** The plain one commits each event, as Connect does by default. */
    private void createConnectors(ConnectWorker worker) {
        worker.rest()
                .create(
                        PLAIN,
                        Map.of(
                                "connector.class", "io.microbatch.connect.it.steady.SteadyConnector",
                                "tasks.max", "1",
                                "topic", PLAIN,
                                "pause.ms", "5",
                                "value.converter", "org.apache.kafka.connect.storage.StringConverter"));
        worker.rest()
                .create(
                        OURS,
                        Map.of(
                                "connector.class", Cluster.CONNECTOR,
                                "tasks.max", "1",
                                "upstream.type", "synthetic",
                                "upstream.synthetic.topic", OURS,
                                "upstream.synthetic.rate", "1000",
                                "latency.target.ms", "100",
                                "calibration.directory",
                                        cluster.calibrationDirectory()
                                                .resolve(GROUP)
                                                .toString(),
                                "key.converter", "org.apache.kafka.connect.converters.ByteArrayConverter",
                                "value.converter", "org.apache.kafka.connect.converters.ByteArrayConverter"));
        worker.awaitRunning(PLAIN, 1);
        worker.awaitRunning(OURS, 1);
    }

    private static Chromium.Seen see(Chromium chromium, ConnectWorker worker) throws IOException, InterruptedException {
        awaitFigures(worker);
        return chromium.open(
                URI.create(worker.rest().address() + "/microbatch/#" + PLAIN + "%2F0"),
                WIDTH,
                HEIGHT,
                VIRTUAL_MS,
                "--blink-settings=preferredColorScheme=1");
    }

    private static void awaitFigures(ConnectWorker worker) {
        JsonNode[] last = new JsonNode[1];
        Await.until(
                "advice for the plain connector, and figures of both",
                PATIENCE,
                () -> {
                    try {
                        last[0] = worker.rest().call("GET", TASKS, null);
                    } catch (ConnectRestException e) {
                        if (e.status() != 503) {
                            throw e;
                        }
                        return false;
                    }
                    JsonNode plain = task(last[0], PLAIN);
                    JsonNode ours = task(last[0], OURS);
                    // In a picture that is written, the start and the learning are over.
                    boolean steady = !WRITE || verdict(ours).equals("leave");
                    return steady
                            && known(plain.path("rates")) >= SAMPLES
                            && verdict(plain).equals("set")
                            && ours.path("figures")
                                    .path("ack-latency-minute-p99-ms")
                                    .isNumber();
                },
                () -> String.valueOf(last[0]));
    }

    private static JsonNode task(JsonNode answer, String connector) {
        for (JsonNode task : answer.path("tasks")) {
            if (task.path("connector").asText().equals(connector)) {
                return task;
            }
        }
        return answer.path("absent");
    }

    private static String verdict(JsonNode task) {
        return task.path("advice").path("verdict").asText();
    }

    private static int known(JsonNode rates) {
        int known = 0;
        for (JsonNode rate : rates) {
            known += rate.isNumber() ? 1 : 0;
        }
        return known;
    }

    /** The document as it was shown: it asks nobody when it is printed. */
    private static String printable(String document, String style) {
        return document.replaceAll("<script[^>]*></script>", "")
                .replaceAll("<link [^>]*>", "")
                .replace("</head>", "<style>" + style.replaceAll("(?s)@media.*?\\n}\\n", "") + "</style>" + PRINTED);
    }

    private void run(String... command) throws IOException, InterruptedException {
        Path log = work.resolve(command[0] + ".log");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            assertThat(process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS))
                    .as("%s ended", command[0])
                    .isTrue();
        } finally {
            process.destroyForcibly();
        }
        assertThat(process.exitValue())
                .as("%s: %s", command[0], Files.readString(log))
                .isZero();
    }
}
