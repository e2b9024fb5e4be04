package io.microbatch.connect.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PasswordKeysTest {

    private static final Caller CALLER = new Caller(null, false);

    private static final String DEFINITION =
            "[{\"name\":\"entry.code\",\"type\":\"PASSWORD\"},{\"name\":\"topic\",\"type\":\"STRING\"}]";

    private final Peers peers = new Peers("http", null, System::nanoTime);
    private final PasswordKeys keys = new PasswordKeys(peers);
    private final AtomicInteger asked = new AtomicInteger();
    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/connector-plugins/", exchange -> {
            int ignored = asked.incrementAndGet();
            String path = exchange.getRequestURI().getPath();
            boolean known = path.contains("known") || path.contains("MicrobatchSource");
            byte[] body = (known ? DEFINITION : "{}").getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(known ? 200 : 500, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
        peers.close();
    }

    private String worker() {
        return "127.0.0.1:" + server.getAddress().getPort();
    }

    private static ConnectorSettings connector(String name) {
        return new ConnectorSettings(Map.of(ConnectorSettings.CLASS, name), ConnectorSettings.FLUSH_MS_DEFAULT);
    }

    @Test
    void asksOnceForTheDefinitionOfAClass() throws InterruptedException {
        assertThat(keys.of(connector("a.known"), worker(), CALLER)).contains(Set.of("entry.code"));
        assertThat(keys.of(connector("a.known"), worker(), CALLER)).contains(Set.of("entry.code"));
        assertThat(asked).hasValue(1);
    }

    @Test
    void givesThePrefixOfAHostedConnectorsKeys() throws InterruptedException {
        ConnectorSettings hosted = new ConnectorSettings(
                Map.of(
                        ConnectorSettings.CLASS,
                        "MicrobatchSource",
                        ConnectorSettings.HOSTED_PREFIX + "class",
                        "a.known"),
                ConnectorSettings.FLUSH_MS_DEFAULT);
        assertThat(keys.of(hosted, worker(), CALLER)).contains(Set.of("entry.code", "upstream.connector.entry.code"));
    }

    /** The next caller may be one for whom the worker can be asked. */
    @Test
    void asksAtOnceAfterACallerForWhomNobodyIsAsked() throws InterruptedException {
        assertThat(keys.of(connector("a.known"), worker(), new Caller("Basic abc", true)))
                .isEmpty();
        assertThat(keys.of(connector("a.known"), worker(), CALLER)).isPresent();
        assertThat(asked).hasValue(1);
    }

    /** Otherwise each task of an unknown class costs a question of seconds, and the console has no answer in time. */
    @Test
    void doesNotAskAgainAtOnceWhereThereIsNoAnswer() throws InterruptedException {
        assertThat(keys.of(connector("a.other"), worker(), CALLER)).isEmpty();
        assertThat(keys.of(connector("a.other"), worker(), CALLER)).isEmpty();
        assertThat(asked).hasValue(1);
        assertThat(keys.of(connector("a.known"), worker(), CALLER))
                .as("of another class")
                .isPresent();

        String address = worker();
        server.stop(0);
        assertThat(keys.of(connector("b.known"), address, CALLER)).isEmpty();
        for (int i = 0; i < 1_000; i++) {
            assertThat(keys.of(connector("c.known" + i), address, CALLER)).isEmpty();
        }
        assertThat(asked).as("a silent worker is not asked for any class").hasValue(2);
    }
}
