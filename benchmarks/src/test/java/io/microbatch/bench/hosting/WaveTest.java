package io.microbatch.bench.hosting;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.microbatch.bench.load.Delivery;
import io.microbatch.testbed.ConnectRest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A wave over a REST interface that answers as the test says: what it asks for, and what it makes of the answers. */
class WaveTest {

    private static final int KILLS = 2;
    private static final Duration PATIENT = Duration.ofMinutes(5);
    private static final Duration IMPATIENT = Duration.ofMillis(100);

    @TempDir
    private Path directory;

    private final Worker worker = new Worker();
    private final List<String> said = new ArrayList<>();

    @BeforeEach
    void start() throws IOException {
        worker.start();
    }

    @AfterEach
    void stop() {
        worker.server.stop(0);
    }

    @Test
    void comparesBothSidesOfEachMemberAndNamesWhatIsWrong() {
        FakeMember sound = new FakeMember("sound", PATIENT, FakeMember.EVENTS);
        FakeMember losing = new FakeMember("losing", IMPATIENT, FakeMember.EVENTS - 2);
        FakeMember failing = new FakeMember("failing", PATIENT, FakeMember.EVENTS);
        FakeMember refused = new FakeMember("refused", PATIENT, FakeMember.EVENTS);
        worker.failed.add("failing-hosted");
        FakeMember hidden = new FakeMember("hidden", PATIENT, FakeMember.EVENTS);
        worker.refused.add("refused-plain");
        worker.hidden.add("hidden-hosted");
        Canary canary = new Canary(directory);
        worker.taskConfig = canary.value();
        Wave wave = new Wave(worker, Delivery.EXACTLY_ONCE, KILLS, canary, new Random(1), said::add);

        List<MemberResult> results = wave.run(List.of(sound, losing, failing, refused, hidden));

        assertThat(results)
                .extracting(MemberResult::name)
                .containsExactly("sound", "losing", "failing", "refused", "hidden");
        assertThat(results.get(0).complaints()).isEmpty();
        assertThat(results.get(0).kills()).isEqualTo(KILLS);
        assertThat(results.get(1).hosted().lost()).isEqualTo(2);
        assertThat(results.get(1).hosted().incomplete()).containsExactly("partition 0");
        assertThat(results.get(1).plain().lost()).isZero();
        assertThat(results.get(1).hosted().problem()).startsWith("hangs");
        assertThat(results.get(2).hosted().failures()).isEqualTo(1);
        assertThat(worker.failed).as("restarted").isEmpty();
        assertThat(results.get(2).plain().failures()).isZero();
        assertThat(results.get(3).plain().problem()).startsWith("was refused");
        assertThat(results.get(3).hosted().problem()).isEmpty();
        assertThat(results.get(4).plain().problem()).isEmpty();
        assertThat(results.get(4).hosted().problem()).contains("may be a secret");

        assertThat(worker.kills).isEqualTo(KILLS);
        assertThat(sound.bursts()).isEqualTo(KILLS);
        assertThat(sound.halves()).isEqualTo(1);
        assertThat(worker.deleted).contains("sound-plain", "sound-hosted", "losing-hosted");
        assertThat(canary.found()).contains("GET /connectors/sound-hosted/tasks");
        assertThat(said).anySatisfy(line -> assertThat(line).contains("failing-hosted has failed: Caused by: planted"));
    }

    @Test
    void hostsWithTheGuaranteeThatTheModeHas() {
        FakeMember member = new FakeMember("sound", PATIENT, FakeMember.EVENTS);
        new Wave(worker, Delivery.EXACTLY_ONCE, 0, new Canary(directory), new Random(1), said::add)
                .run(List.of(member));

        assertThat(worker.configs.get("sound-plain").path("connector.class").asText())
                .isEqualTo("Fake");
        JsonNode hosted = worker.configs.get("sound-hosted");
        assertThat(hosted.path("upstream.connector.class").asText()).isEqualTo("Fake");
        assertThat(hosted.path("exactly.once.support").asText()).isEqualTo("required");
        assertThat(hosted.path("calibration.enabled").asText()).isEqualTo("false");
    }

    /**
     * A Connect worker as far as its REST interface shows it, whose connectors deliver at their start and after a kill.
     */
    private static final class Worker implements Wave.Cluster {

        private final ObjectMapper json = new ObjectMapper();
        private final Map<String, JsonNode> configs = new ConcurrentHashMap<>();
        private final Set<String> failed = ConcurrentHashMap.newKeySet();
        private final Set<String> refused = new HashSet<>();
        private final Set<String> hidden = new HashSet<>();
        private final Set<String> stopped = ConcurrentHashMap.newKeySet();
        private final Set<String> deleted = ConcurrentHashMap.newKeySet();
        private volatile String taskConfig = "";
        private int kills;
        private HttpServer server;
        private ConnectRest rest;

        void start() throws IOException {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            server.createContext("/connectors/", this::answer);
            server.start();
            rest = ConnectRest.at(
                    URI.create("http://127.0.0.1:" + server.getAddress().getPort()));
        }

        private void answer(HttpExchange exchange) throws IOException {
            String[] path = exchange.getRequestURI().getPath().split("/", -1);
            String name = path[2];
            String what = exchange.getRequestMethod() + " " + (path.length > 3 ? path[3] : "");
            int status = 200;
            String body = "{}";
            switch (what) {
                case "PUT config" -> {
                    status = refused.contains(name) ? 400 : 200;
                    if (status == 200) {
                        configs.put(name, json.readTree(exchange.getRequestBody()));
                    }
                }
                case "GET status" -> {
                    boolean running = !stopped.contains(name);
                    String task = failed.contains(name)
                            ? "{\"id\":0,\"state\":\"FAILED\",\"trace\":\"trace\\nCaused by: planted\\n\\tat line\"}"
                            : "{\"id\":0,\"state\":\"RUNNING\"}";
                    body = "{\"connector\":{\"state\":\"" + (running ? "RUNNING" : "STOPPED") + "\"},\"tasks\":["
                            + (running ? task : "") + "]}";
                }
                case "GET tasks" -> {
                    status = hidden.contains(name) ? 500 : 200;
                    body = "[{\"config\":{\"password\":\"" + taskConfig + "\"}}]";
                }
                case "POST restart" -> failed.remove(name);
                case "PUT stop" -> stopped.add(name);
                case "DELETE " -> deleted.add(name);
                default -> status = 404;
            }
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        }

        @Override
        public String bootstrapServers() {
            return "127.0.0.1:1";
        }

        @Override
        public ConnectRest rest() {
            return rest;
        }

        @Override
        public void create(List<Member.Topic> topics) {}

        @Override
        public void killAndRestart() {
            kills++;
        }

        @Override
        public long[] committed(List<List<Member.Topic>> groups) {
            return groups.stream()
                    .mapToLong(group -> configs.containsKey(group.get(0).name()) ? 10 * (kills + 1) : 0)
                    .toArray();
        }
    }
}
