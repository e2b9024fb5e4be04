package io.microbatch.connect.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpServer;
import io.microbatch.testbed.Chromium;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The page in a headless Chromium, under the policy that a worker sends with it, over JSON that the console's own
 * classes write. A script of the test does what an operator does. Pictures are left in {@code target}.
 */
class ConsolePageTest {

    private static final int WIDTH = 1280;
    private static final int HEIGHT = 1400;
    private static final int PHONE = 500;

    private static final TaskKey KEY = new TaskKey("shop", 0);
    private static final int GAP = 60;

    /** The page asks again every five seconds. */
    private static final int VIRTUAL_MS = 12_000;

    private static final String HOSTILE = "<img src=x onerror=alert(1)>";
    private static final Pattern SEEN = Pattern.compile("<pre id=\"seen\">(.*?)</pre>", Pattern.DOTALL);

    /** Finds the slow task, asks why, and copies what to change. Then it writes down what it saw. */
    private static final String OPERATOR = """
            const seen = {};
            let copied = null;
            Object.defineProperty(navigator, "clipboard", {value: {writeText: async (text) => { copied = text; }}});
            const pause = (ms) => new Promise((done) => setTimeout(done, ms));
            async function operate() {
              await pause(1000);
              const rows = [...document.querySelectorAll("#tasks tbody tr")];
              seen.rows = rows.map((row) => [...row.cells].map((cell) => cell.textContent).join("|"));
              const table = document.querySelector(".scroll");
              seen.outside = table.scrollWidth - table.clientWidth;
              seen.status = document.getElementById("status").textContent;
              const slow = rows.find((row) => row.cells[1].textContent === "set").querySelector("button");
              slow.focus();
              slow.click();
              await pause(1000);
              seen.heading = document.activeElement.textContent;
              seen.expanded = document.querySelectorAll("button[aria-expanded=true]").length;
              seen.advice = document.getElementById("advice").textContent;
              seen.waterfall = document.querySelector("#waterfall svg").getAttribute("aria-label");
              const parts = (svg) => [...svg.querySelectorAll("polyline, circle")]
                .map((part) => part.tagName).join(" ");
              seen.small = parts(slow.closest("tr").querySelector("svg"));
              seen.plots = [...document.querySelectorAll("#plots figure")].map((each) =>
                each.querySelector("figcaption").textContent + ": " + parts(each.querySelector("svg")));
              const copy = document.querySelector("#advice button.copy");
              copy.focus();
              copy.click();
              await pause(7000);
              seen.copied = copied;
              seen.copyButton = document.activeElement.textContent;
              seen.focusable = [...document.querySelectorAll("button, input, summary, pre")]
                .every((each) => each.tabIndex >= 0);
              seen.unnamed = [...document.querySelectorAll("button, input")]
                .filter((each) => !each.textContent.trim() && !document.querySelector(`label[for=${each.id}]`)).length;
              seen.images = document.images.length;
              seen.background = getComputedStyle(document.body).backgroundColor;
              seen.wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
              seen.loaded = performance.getEntriesByType("resource").map((entry) => new URL(entry.name).pathname);
              const out = document.createElement("pre");
              out.id = "seen";
              out.textContent = JSON.stringify(seen);
              document.body.append(out);
            }
            operate();
            """;

    @TempDir
    private Path work;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private HttpServer server;
    private boolean operated = true;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", exchange -> {
            byte[] body = body(exchange.getRequestURI().getPath());
            String type = exchange.getRequestURI().getPath().replaceAll(".*\\.", "");
            exchange.getResponseHeaders()
                    .set(
                            "Content-Type",
                            Map.of("js", "text/javascript", "css", "text/css").getOrDefault(type, "text/html")
                                    + ";charset=utf-8");
            exchange.getResponseHeaders().set("Content-Security-Policy", ConsoleResource.POLICY);
            exchange.sendResponseHeaders(body == null ? 404 : 200, body == null ? -1 : body.length);
            if (body != null) {
                exchange.getResponseBody().write(body);
            }
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
        List<Runnable> ignored = threads.shutdownNow();
    }

    private byte[] body(String path) throws IOException {
        switch (path) {
            case "/microbatch/v1/tasks":
                return Json.write(cluster());
            case "/microbatch/v1/history":
                return Json.write(Map.of(
                        "state",
                        "ok",
                        "step_ms",
                        History.STEP_MS,
                        "series",
                        history(Map.of(Figure.COMMIT_AVG_MS, 5.4)).of(KEY)));
            case "/microbatch/operator.js":
                return OPERATOR.getBytes(StandardCharsets.UTF_8);
            case "/microbatch/":
                String page = new String(resource("console.html"), StandardCharsets.UTF_8);
                return (operated ? page.replace("</body>", "<script src=\"operator.js\"></script></body>") : page)
                        .getBytes(StandardCharsets.UTF_8);
            case "/microbatch/console.js", "/microbatch/console.css":
                return resource(path.replace("/microbatch/", ""));
            default:
                return null;
        }
    }

    private static byte[] resource(String name) throws IOException {
        try (InputStream in = ConsoleResource.class.getResourceAsStream(name)) {
            return in.readAllBytes();
        }
    }

    /**
     * A slow plain connector, one of this project's, one whose database hangs, one with a hostile name that has failed,
     * and a silent worker.
     */
    private static Map<String, Object> cluster() {
        Map<Figure, Double> plain = new EnumMap<>(Map.of(
                Figure.RATE, 180.0,
                Figure.WRITE_RATE, 180.0,
                Figure.BATCH_RECORDS_AVG, 1.0,
                Figure.TRANSACTION_RECORDS_AVG, 1.0,
                Figure.COMMIT_AVG_MS, 5.4,
                Figure.COMMIT_MAX_MS, 48.0));
        Map<Figure, Double> ours = new EnumMap<>(Map.of(
                Figure.RATE, 1_000.0,
                Figure.WRITE_RATE, 1_000.0,
                Figure.BATCH_RECORDS_AVG, 88.0,
                Figure.TRANSACTION_RECORDS_AVG, 88.0,
                Figure.COMMIT_AVG_MS, 4.0,
                Figure.LINGER_MS, 80.0,
                Figure.BUDGET_MS, 100.0));
        ours.put(Figure.SEND_AND_COMMIT_MINUTE_P50_MS, 5.0);
        ours.put(Figure.ACK_LATENCY_MINUTE_P50_MS, 48.0);
        ours.put(Figure.ACK_LATENCY_MINUTE_P99_MS, 91.0);
        ours.put(Figure.ACK_LATENCY_P99_MS, 17.0);
        ours.put(Figure.UPSTREAM_SILENT_MS, 40.0);
        ours.put(Figure.UPSTREAM_CONNECTED, 1.0);
        Map<Figure, Double> hung = Map.of(
                Figure.RATE, 0.0,
                Figure.UPSTREAM_CONNECTED, 1.0,
                Figure.UPSTREAM_SILENT_MS, 95_400.0,
                Figure.UPSTREAM_HEARTBEAT_MS, 10_000.0);
        Map<String, Object> json = new LinkedHashMap<>();
        json.put(
                "other_workers",
                List.of(
                        Map.of("worker", "10.0.0.9:8083", "state", "no answer"),
                        Map.of("worker", "10.0.0.8:8083", "state", "answer too large")));
        json.put(
                "tasks",
                List.of(
                        task(
                                "shop",
                                "RUNNING",
                                plain,
                                Map.of("connector.class", "com.example.QueueConnector", "code", "4711")),
                        task("orders", "RUNNING", ours, Map.of("connector.class", ConnectorSettings.MICROBATCH_CLASS)),
                        task("stock", "RUNNING", hung, Map.of("connector.class", ConnectorSettings.MICROBATCH_CLASS)),
                        task(HOSTILE, "FAILED", Map.of(), Map.of("connector.class", "com.example.Other")),
                        TaskReport.placed(new ClusterView.Placed(new TaskKey("far", 0), "RUNNING", "10.0.0.8:8083"))));
        return json;
    }

    private static Map<String, Object> task(
            String name, String state, Map<Figure, Double> figures, Map<String, String> config) {
        TaskSnapshot task = new TaskSnapshot(new TaskKey(name, 0), figures);
        ConnectorSettings settings = new ConnectorSettings(config, ConnectorSettings.FLUSH_MS_DEFAULT);
        Map<String, Object> json = TaskReport.placed(new ClusterView.Placed(task.key(), state, "10.0.0.1:8083"));
        TaskReport.addFigures(json, task, settings);
        json.put("rates", history(figures).rates(KEY));
        json.put(
                "advice",
                TaskReport.of(Advisor.advise(task, settings, state, 100), settings, Optional.of(Set.of("code"))));
        return json;
    }

    /** Ten minutes with two gaps, and one sample between them. The latest figures are not known. */
    private static History history(Map<Figure, Double> figures) {
        History history = new History();
        for (int i = 0; i < History.SAMPLES; i++) {
            boolean known = i < GAP || i == GAP + 2 || i > GAP + 4;
            Map<Figure, Double> sample = new TreeMap<>(i == History.SAMPLES - 1 ? Map.of() : figures);
            sample.put(Figure.RECORDS_TOTAL, i * 900.0 + i % 7 * 50);
            if (known) {
                history.add(List.of(new TaskSnapshot(KEY, sample)), i * (long) History.STEP_MS);
            }
        }
        return history;
    }

    private Chromium chromium() {
        Optional<Chromium> installed = Chromium.installed(work);
        assumeTrue(installed.isPresent(), "no Chromium on this machine: install the package chromium to run this test");
        return installed.get();
    }

    private URI address(String hash) {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/microbatch/" + hash);
    }

    private static Map<String, Object> seen(Chromium.Seen page) throws IOException {
        Matcher found = SEEN.matcher(page.document());
        assertThat(found.find()).as("%s %s", page.log(), page.document()).isTrue();
        String text = found.group(1).replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
        return Json.object(Json.read(text.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void letsAnOperatorFindTheSlowTaskAskWhyAndCopyTheChange() throws IOException, InterruptedException {
        // A link that somebody has cut names no task.
        Chromium.Seen page = chromium().open(address("#50%FF"), WIDTH, HEIGHT, VIRTUAL_MS);
        Map<String, Object> seen = seen(page);

        assertThat(page.log()).as("messages of the console").doesNotContain("CONSOLE");
        assertThat(seen.get("rows").toString())
                .contains("shop / 0|set|RUNNING|–|180|", "orders / 0|leave|RUNNING|< 1 s|1,000|", "|91|")
                .contains("stock / 0|look at source|RUNNING|95.4 s, hangs|0|")
                .contains(HOSTILE + " / 0|look at task|FAILED")
                .contains("far / 0||RUNNING", "10.0.0.8:8083: answer too large");
        assertThat(seen.get("status").toString())
                .contains("5 source tasks", "3 with something", "10.0.0.9:8083: no answer")
                .contains("10.0.0.8:8083: answer too large");
        assertThat((Long) seen.get("outside")).as("columns outside the window").isLessThanOrEqualTo(0);
        assertThat(seen.get("heading")).as("the focus follows the choice").isEqualTo("shop / 0");
        assertThat(seen.get("expanded")).isEqualTo(1L);
        assertThat(seen.get("advice").toString()).contains("PATCH /connectors/shop/config", "Another way");
        assertThat(seen.get("waterfall").toString()).contains("commit 5.4 ms");
        assertThat(seen.get("small")).as("two gaps in the table").isEqualTo("polyline circle polyline");
        assertThat(seen.get("plots").toString())
                .as("the gaps are there, and what is not known now is not that of before")
                .contains("commit, ms: now –, at most 5.4: polyline circle polyline")
                .contains("events/s: now 120");
        assertThat(Json.read(seen.get("copied").toString().getBytes(StandardCharsets.UTF_8)))
                .isEqualTo(Map.of(
                        "transaction.boundary", "interval",
                        "transaction.boundary.interval.ms", "90",
                        "producer.override.linger.ms", "90"));
        assertThat(seen.get("copyButton")).as("a refresh leaves it alone").isEqualTo("Copied");
        assertThat(seen.get("focusable")).isEqualTo(true);
        assertThat(seen.get("unnamed")).isEqualTo(0L);
        assertThat(seen.get("images")).as("a name stays text").isEqualTo(0L);
        assertThat(page.document()).doesNotContain("4711");
        assertThat(Set.copyOf((List<?>) seen.get("loaded")))
                .isEqualTo(Set.of(
                        "/microbatch/console.css",
                        "/microbatch/console.js",
                        "/microbatch/operator.js",
                        "/microbatch/v1/history",
                        "/microbatch/v1/tasks"));
    }

    @Test
    void isReadableInTheDarkAndOnAPhone() throws IOException, InterruptedException {
        String dark = "--blink-settings=preferredColorScheme=0";
        String light = "--blink-settings=preferredColorScheme=1";
        assertThat(seen(chromium().open(address(""), WIDTH, HEIGHT, VIRTUAL_MS, light))
                        .get("background"))
                .isEqualTo("rgb(255, 255, 255)");
        Map<String, Object> seen = seen(chromium().open(address(""), PHONE, HEIGHT, VIRTUAL_MS, dark));
        assertThat(seen.get("background")).isEqualTo("rgb(13, 17, 23)");
        assertThat((Long) seen.get("wide")).as("scrolls sideways").isLessThanOrEqualTo(0);

        operated = false;
        for (String connector : List.of("shop", "orders", "stock")) {
            URI task = address("#" + connector + "%2F0");
            chromium()
                    .picture(
                            task, WIDTH, HEIGHT, VIRTUAL_MS, Path.of("target", "console-" + connector + ".png"), light);
            chromium()
                    .picture(
                            task,
                            WIDTH,
                            HEIGHT,
                            VIRTUAL_MS,
                            Path.of("target", "console-" + connector + "-dark.png"),
                            dark);
        }
    }
}
