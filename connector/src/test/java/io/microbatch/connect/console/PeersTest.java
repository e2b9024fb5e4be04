package io.microbatch.connect.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class PeersTest {

    private static final Caller CALLER = new Caller(null, false);

    private static final int MANY = 300;

    private static final int DEAD = 12;

    private final AtomicLong nanos = new AtomicLong();
    private final Peers peers = new Peers("http", null, nanos::get);

    /** Where an answer is expected, however slow the machine is. */
    private final Peers patient = new Peers("http", null, nanos::get, Duration.ofMinutes(1));

    private final AtomicInteger asked = new AtomicInteger();
    private final CountDownLatch ended = new CountDownLatch(1);
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private HttpServer server;
    private volatile String authorization;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/ok", exchange -> {
            authorization = exchange.getRequestHeaders().getFirst("Authorization");
            answer(exchange, 200, "{\"instance\":\"a\"}");
        });
        server.createContext("/nonsense", exchange -> answer(exchange, 200, "<html>"));
        server.createContext("/refused", exchange -> answer(exchange, 403, ""));
        server.createContext("/endless", exchange -> {
            exchange.sendResponseHeaders(200, 0);
            byte[] part = " ".repeat(1 << 16).getBytes(StandardCharsets.UTF_8);
            for (int i = 0; i < MANY; i++) {
                exchange.getResponseBody().write(part);
            }
            exchange.close();
        });
        server.createContext("/silent", exchange -> {
            int ignored = asked.incrementAndGet();
            awaitEnd();
        });
        server.createContext("/stalled", exchange -> {
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().write('{');
            exchange.getResponseBody().flush();
            awaitEnd();
        });
        server.start();
    }

    @AfterEach
    void stop() {
        ended.countDown();
        server.stop(0);
        List<Runnable> ignored = threads.shutdownNow();
        peers.close();
        patient.close();
    }

    private void awaitEnd() {
        try {
            ended.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void answer(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    private String address() {
        return "127.0.0.1:" + server.getAddress().getPort();
    }

    @Test
    void passesTheCallersCredentialsOn() throws InterruptedException {
        Peers.Answer answer = patient.ask(address(), "/ok", new Caller("Basic abc", false));
        assertThat(answer.state()).isEqualTo("ok");
        assertThat(answer.body()).isEqualTo(Map.of("instance", "a"));
        assertThat(authorization).isEqualTo("Basic abc");
    }

    /** A worker may reach the outside by a proxy, which is not to see who asks the console. */
    @Test
    void passesThemOnToNoProxyOfTheWorker() throws InterruptedException {
        ProxySelector before = ProxySelector.getDefault();
        ProxySelector.setDefault(ProxySelector.of(server.getAddress()));
        // Nothing listens at port 9.
        try (Peers proxied = new Peers("http", null, nanos::get, Duration.ofMinutes(1))) {
            Peers.Answer answer = proxied.ask("127.0.0.1:9", "/ok", new Caller("Basic abc", false));
            assertThat(answer.state()).isNotEqualTo("ok");
            assertThat(authorization).isNull();
        } finally {
            ProxySelector.setDefault(before);
        }
    }

    /** What came encrypted goes on encrypted, or not at all. */
    @Test
    void doesNotShowOnTheNetworkAHeaderThatCameByHttps() throws InterruptedException {
        Peers.Answer answer = patient.ask(address(), "/ok", new Caller("Basic abc", true));

        assertThat(authorization).isNull();
        assertThat(answer.isWithheld()).isTrue();
        assertThat(answer.state()).startsWith("not asked: ").contains("http", "Authorization");
        assertThat(patient.ask(address(), "/ok", new Caller(null, true)).state())
                .as("there is no header to show")
                .isEqualTo("ok");
    }

    @Test
    void saysWhyThereIsNoAnswer() throws InterruptedException, IOException {
        assertThat(patient.ask(address(), "/absent", CALLER).state()).isEqualTo("has no console");
        assertThat(patient.ask(address(), "/refused", CALLER).state()).isEqualTo("refused: status 403");
        assertThat(patient.ask(address(), "/nonsense", CALLER).state()).isEqualTo("no answer");
        assertThat(patient.ask("not an address", "/ok", CALLER).state()).isEqualTo("no answer");
        String closed;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            closed = "127.0.0.1:" + socket.getLocalPort();
        }
        assertThat(patient.ask(closed, "/ok", CALLER).state()).isEqualTo("no answer");
    }

    @Test
    void takesNoMoreThanItsLimit() throws InterruptedException {
        assertThat(patient.ask(address(), "/endless", CALLER).state()).isEqualTo("answer too large");
        assertThat(patient.ask(address(), "/ok", CALLER).state())
                .as("it is not silent")
                .isEqualTo("ok");
    }

    /** They are asked at the same time: one after the other, there would be no time left for the last one. */
    @Test
    void losesNoAnswerToSilentWorkers() throws InterruptedException, IOException {
        List<ServerSocket> dead = new ArrayList<>();
        List<String> workers = new ArrayList<>();
        try {
            for (int i = 0; i < DEAD; i++) {
                // It is connected to, and accepts nothing.
                ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                dead.add(socket);
                workers.add("127.0.0.1:" + socket.getLocalPort());
            }
            workers.add(address());
            List<Peers.Answer> answers = peers.ask(workers, "/ok", CALLER);
            assertThat(answers).extracting(Peers.Answer::worker).isEqualTo(workers);
            assertThat(answers.subList(0, DEAD)).allMatch(Peers.Answer::isSilent);
            assertThat(answers.get(DEAD).state()).isEqualTo("ok");
        } finally {
            for (ServerSocket socket : dead) {
                socket.close();
            }
        }
    }

    @Test
    void asksASilentWorkerLessAndLessOften() throws InterruptedException {
        int[] pausesSeconds = {10, 20, 30, 30};
        for (int i = 0; i < pausesSeconds.length; i++) {
            assertThat(peers.ask(address(), "/silent", CALLER).state()).isEqualTo("no answer");
            assertThat(asked).hasValue(i + 1);
            long endNanos = nanos.get() + TimeUnit.SECONDS.toNanos(pausesSeconds[i]);
            nanos.set(endNanos - 1);
            assertThat(peers.ask(address(), "/silent", CALLER).state()).isEqualTo("no answer");
            assertThat(asked).as("too early").hasValue(i + 1);
            nanos.set(endNanos);
        }
        assertThat(peers.ask(address(), "/ok", CALLER).state()).isEqualTo("ok");
        assertThat(peers.ask(address(), "/silent", CALLER).state()).isEqualTo("no answer");
        nanos.set(nanos.get() + TimeUnit.SECONDS.toNanos(pausesSeconds[0]));
        assertThat(peers.ask(address(), "/ok", CALLER).state())
                .as("an answer in between makes the pause short again")
                .isEqualTo("ok");
    }

    /** A worker that dies in the middle of its answer: the head came in time, and the rest never comes. */
    @Test
    @Timeout(20)
    void doesNotWaitForTheRestOfAnAnswer() throws InterruptedException {
        assertThat(peers.ask(address(), "/stalled", CALLER).state()).isEqualTo("no answer");
    }

    @Test
    void asksABoundedNumberOfWorkers() throws InterruptedException {
        List<String> workers = new ArrayList<>();
        for (int i = 0; i < 2 * Peers.MAX_PEERS; i++) {
            workers.add(address());
        }
        assertThat(patient.ask(workers, "/ok", CALLER)).hasSize(Peers.MAX_PEERS);
    }
}
