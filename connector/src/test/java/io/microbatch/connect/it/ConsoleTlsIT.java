package io.microbatch.connect.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.microbatch.connect.it.Cluster.Mode;
import io.microbatch.connect.upstream.http.Certificates;
import io.microbatch.testbed.Await;
import io.microbatch.testbed.ConnectRestException;
import io.microbatch.testbed.ConnectWorker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * The console of a real worker that takes HTTPS and advertises an address of HTTP, at which nobody listens. A question
 * there has no answer. For a caller with a header that came by HTTPS nobody is asked.
 */
@ExtendWith(Cluster.Shared.class)
class ConsoleTlsIT {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String NAME = "console-tls";

    private final Cluster cluster;

    ConsoleTlsIT(Cluster cluster) {
        this.cluster = cluster;
    }

    @Test
    void asksNobodyByHttpForACallerThatCameByHttps(@TempDir Path directory)
            throws IOException, InterruptedException, GeneralSecurityException {
        Path server = Certificates.newKey(cluster.directory().resolve(NAME + ".p12"), "CN=worker", "-1H");
        try (ConnectWorker worker = cluster.worker(Mode.AT_LEAST_ONCE, NAME)
                .property("config.storage.topic", NAME + "-config")
                .property("status.storage.topic", NAME + "-status")
                .property("rest.extension.classes", "io.microbatch.connect.console.ConsoleExtension")
                .property("rest.advertised.listener", "http")
                .property("rest.advertised.port", "1")
                .property("listeners.https.ssl.keystore.location", server.toString())
                .property("listeners.https.ssl.keystore.password", Certificates.PASSWORD)
                .property("listeners.https.ssl.keystore.type", "PKCS12")
                .https(Certificates.client(null, server), "Basic abc")
                .start()) {
            Path lines = Files.writeString(directory.resolve("lines"), "a\nb\n");
            worker.rest()
                    .create(
                            NAME,
                            Map.of(
                                    "connector.class",
                                    "org.apache.kafka.connect.file.FileStreamSourceConnector",
                                    "tasks.max",
                                    "1",
                                    "topic",
                                    NAME,
                                    "file",
                                    lines.toString()));
            worker.rest().awaitRunning(NAME, 1);

            JsonNode tasks = await(worker, "/microbatch/v1/tasks", "/tasks/0/figures/rate");
            assertThat(tasks.at("/tasks/0/worker").asText()).endsWith(":1");
            assertThat(tasks.path("other_workers")).as(tasks.toString()).isEmpty();
            JsonNode history = await(worker, "/microbatch/v1/history?connector=" + NAME + "&task=0", "/state");
            assertThat(history.path("state").asText()).isEqualTo("ok");
            worker.rest().delete(NAME);
        }
    }

    /** The answer, once it has a value at this place. */
    private static JsonNode await(ConnectWorker worker, String path, String place) {
        JsonNode[] last = new JsonNode[1];
        Await.until(
                place + " of " + path,
                PATIENCE,
                () -> {
                    last[0] = ask(worker, path);
                    return last[0].at(place).isValueNode();
                },
                () -> String.valueOf(last[0]));
        return last[0];
    }

    /** An empty answer while the worker's herder is busy. */
    private static JsonNode ask(ConnectWorker worker, String path) {
        try {
            return worker.rest().call("GET", path, null);
        } catch (ConnectRestException e) {
            if (e.status() != 503) {
                throw e;
            }
            return MissingNode.getInstance();
        }
    }
}
