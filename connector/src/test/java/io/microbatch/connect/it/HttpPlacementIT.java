package io.microbatch.connect.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.it.Cluster.Mode;
import io.microbatch.testbed.Await;
import io.microbatch.testbed.Ports;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Where the tasks of a connector listen, and what happens if the port is taken. */
@ExtendWith(Cluster.Shared.class)
class HttpPlacementIT {

    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final Mode MODE = Mode.EXACTLY_ONCE;

    private final Cluster cluster;

    HttpPlacementIT(Cluster cluster) {
        this.cluster = cluster;
    }

    @Test
    void eachTaskHasItsPort() {
        HttpIngest ingest = new HttpIngest(cluster, "http-two-ports", Ports.free(2));
        cluster.rest(MODE).create(ingest.name(), ingest.config(2, Map.of()));
        cluster.worker(MODE).awaitRunning(ingest.name(), 2);

        for (int task = 0; task < 2; task++) {
            HttpPoster poster = new HttpPoster(ingest.port() + task);
            poster.awaitReady();
            HttpPoster.Reply root = poster.get("/");
            assertThat(root.at("/task").asInt()).isEqualTo(task);
            assertThat(root.at("/tasks").asInt()).isEqualTo(2);
            assertThat(poster.post("/events/" + ingest.name(), "text/plain", "of-" + task)
                            .status())
                    .isEqualTo(200);
        }
        assertThat(ingest.values()).containsExactlyInAnyOrder("of-0", "of-1");
        cluster.rest(MODE).delete(ingest.name());
    }

    @Test
    void tasksMayShareAPortAndOtherConnectorsMayNot() {
        HttpIngest ingest = HttpIngest.of(cluster, "http-shared");
        Map<String, String> shared = Map.of("upstream.http.port.mode", "worker");
        cluster.rest(MODE).create(ingest.name(), ingest.config(2, shared));
        cluster.worker(MODE).awaitRunning(ingest.name(), 2);
        ingest.poster().awaitReady();

        Set<Integer> seen = new TreeSet<>();
        Await.until(
                "connections to both tasks",
                PATIENCE,
                () -> {
                    // A new client has a new connection.
                    seen.add(new HttpPoster(ingest.port()).get("/").at("/task").asInt());
                    return seen.size() == 2;
                },
                seen::toString);

        HttpIngest other = new HttpIngest(cluster, "http-intruder", ingest.port());
        cluster.rest(MODE).create(other.name(), other.config(1, shared));
        // It waits, as the same connector does under a new name until its old tasks have stopped.
        Await.until(
                "the other connector has tried",
                PATIENCE,
                () -> cluster.worker(MODE).logLines().stream()
                        .anyMatch(line -> line.contains("on which the connector " + ingest.name() + " listens")),
                () -> cluster.worker(MODE).logTail());
        assertThat(new HttpPoster(ingest.port()).get("/").status()).isEqualTo(200);
        cluster.rest(MODE).delete(other.name());

        cluster.rest(MODE).restart(ingest.name());
        cluster.worker(MODE).awaitRunning(ingest.name(), 2);
        ingest.poster().awaitReady();
        cluster.rest(MODE).delete(ingest.name());
    }

    @Test
    void waitsForAPortThatIsTaken() throws IOException {
        HttpIngest ingest = HttpIngest.of(cluster, "http-taken");
        try (ServerSocket holder = new ServerSocket(ingest.port(), 1, InetAddress.getLoopbackAddress())) {
            cluster.rest(MODE).create(ingest.name(), ingest.config(1, Map.of()));
            cluster.worker(MODE).awaitRunning(ingest.name(), 1);
            assertThat(holder.isBound()).isTrue();
            Await.until(
                    "the task has tried",
                    PATIENCE,
                    () -> cluster.worker(MODE).logLines().stream()
                            .anyMatch(line -> line.contains("Cannot listen on 127.0.0.1:" + ingest.port())),
                    () -> cluster.worker(MODE).logTail());
        }
        ingest.poster().awaitReady();
        cluster.rest(MODE).delete(ingest.name());
    }
}
