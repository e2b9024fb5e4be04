package io.microbatch.connect.release;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import io.microbatch.testbed.InstalledProgram;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The check for known vulnerabilities, against a database whose answers are written here. Skipped without Python. */
class VulnerabilitiesTest {

    private static final Path SCRIPT = Path.of("..", "build", "vulnerabilities");
    private static final String SBOM = """
            {"components": [
              {"purl": "pkg:maven/io.microbatch/kafka-connect-microbatch-transforms@1?type=jar"},
              {"purl": "pkg:maven/io.netty/netty-common@4.2.20.Final?type=jar"},
              {"purl": "pkg:maven/org.postgresql/postgresql@42.7.14?type=jar"}]}""";
    private static final String NOTHING = "{\"results\": [{}, {}]}";

    /** Shorter than its announced length. */
    private static final String CUT_OFF = "{\"results\": [{";

    private static final String ONE = "{\"results\": [{}, {\"vulns\": [{\"id\": \"GHSA-1\"}]}]}";

    @TempDir
    private Path directory;

    private final Queue<String> questions = new ConcurrentLinkedQueue<>();
    private final Queue<String> answers = new ConcurrentLinkedQueue<>();
    private HttpServer database;
    private Path accepted;

    /** What the script has printed, and how it ended. */
    private record Ended(int status, String output) {}

    @BeforeEach
    void start() throws IOException {
        assumeTrue(InstalledProgram.exists("python3"), "python3 is not installed");
        Files.writeString(directory.resolve("sbom.json"), SBOM);
        accepted = Files.writeString(directory.resolve("accepted"), "# nothing\n");
        database = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        database.createContext("/v1/querybatch", exchange -> {
            questions.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            String answer = answers.remove();
            byte[] body = answer.getBytes(StandardCharsets.UTF_8);
            int length = answer.equals(CUT_OFF) ? body.length + 1 : body.length;
            exchange.sendResponseHeaders(answer.isEmpty() ? 500 : 200, body.length == 0 ? -1 : length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        database.start();
    }

    @AfterEach
    void stop() {
        if (database != null) {
            database.stop(0);
        }
    }

    @Test
    void passesWhenNothingIsKnown() throws IOException, InterruptedException {
        answers.add(NOTHING);

        Ended ended = run();

        assertThat(ended.output()).contains("2 parts checked, 0 known vulnerabilities");
        assertThat(ended.status()).isZero();
        JsonNode queries = new ObjectMapper().readTree(questions.remove()).path("queries");
        assertThat(queries.findValuesAsText("purl"))
                .containsExactly(
                        "pkg:maven/io.netty/netty-common@4.2.20.Final", "pkg:maven/org.postgresql/postgresql@42.7.14");
    }

    @Test
    void failsForAKnownVulnerability() throws IOException, InterruptedException {
        answers.add(ONE);

        Ended ended = run();

        assertThat(ended.output()).contains("pkg:maven/org.postgresql/postgresql@42.7.14: GHSA-1");
        assertThat(ended.status()).isEqualTo(1);
    }

    @Test
    void readsFurtherPages() throws IOException, InterruptedException {
        answers.add("{\"results\": [{\"next_page_token\": \"more\"}, {}]}");
        answers.add("{\"results\": [{\"vulns\": [{\"id\": \"GHSA-2\"}]}]}");

        Ended ended = run();

        assertThat(ended.output()).contains("netty-common@4.2.20.Final: GHSA-2");
        assertThat(ended.status()).isEqualTo(1);
        assertThat(questions).hasSize(2).last().asString().contains("\"page_token\": \"more\"");
    }

    @Test
    void acceptsUntilTheNamedDay() throws IOException, InterruptedException {
        answers.add(ONE);
        answers.add(ONE);
        Files.writeString(accepted, "GHSA-1 9999-12-31 the driver's class is not used\n");

        Ended ended = run();

        assertThat(ended.output()).contains("0 known vulnerabilities, 1 accepted");
        assertThat(ended.status()).isZero();

        Files.writeString(accepted, "GHSA-1 2020-01-01 the driver's class is not used\n");
        assertThat(run().status()).isEqualTo(1);
    }

    @Test
    void neverTakesSilenceForSafety() throws IOException, InterruptedException {
        answers.addAll(List.of("", "{\"results\": [{}]}", "{}", CUT_OFF));
        for (String fault : List.of("500", "an answer too few", "no results", "half of an answer")) {
            Ended ended = run();

            assertThat(ended.output()).as(fault).contains("NOT CHECKED");
            assertThat(ended.status()).as(fault).isEqualTo(2);
        }
        Files.writeString(accepted, "GHSA-1 soon\n");
        assertThat(run().status()).isEqualTo(2);
    }

    private Ended run() throws IOException, InterruptedException {
        String url = "http://127.0.0.1:" + database.getAddress().getPort();
        ProcessBuilder builder = new ProcessBuilder(
                        "python3",
                        SCRIPT.toString(),
                        "--database",
                        url,
                        "--accepted",
                        accepted.toString(),
                        directory.resolve("sbom.json").toString())
                .redirectErrorStream(true);
        // A proxy of this machine has no way to its loopback.
        builder.environment()
                .keySet()
                .removeIf(name -> name.toLowerCase(Locale.ROOT).endsWith("_proxy"));
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Ended(process.waitFor(), output);
    }
}
