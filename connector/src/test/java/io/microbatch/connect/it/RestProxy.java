package io.microbatch.connect.it;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A proxy in front of a worker's REST interface that lets one request fail: the first one of its kind after another
 * one. Requests are lines such as {@code PUT /connectors/a/stop}. Safe on any thread.
 */
final class RestProxy implements AutoCloseable {

    private static final String HOST = "127.0.0.1";
    private static final int BACKLOG = 16;

    /** Between two requests that come before a fault. */
    static final String THEN = " then ";

    /** What happens to the request. */
    enum Effect {
        /** The worker does not get it, and the client gets status 500. */
        REFUSE,
        /** The worker gets it, and the client no answer. */
        LOSE_ANSWER,
        /** The worker does not get it, and the client is interrupted, like a program that is killed. */
        DIE_BEFORE,
        /** The worker gets it, and the client is interrupted. */
        DIE_AFTER,
        /** Neither this request nor any later one reaches the worker. */
        CUT,
        /** The client gets no answer, and the worker gets the request just before the next one with PUT. */
        LATE,
        /** The client gets no answer, and the worker gets the request just after the next one with PUT. */
        OVERTAKEN,
        /** The client gets status 404, as from a worker that does not know the address. */
        UNKNOWN,
        /** This answer and the next one show a stopped connector in the state UNASSIGNED. */
        UNASSIGNED,
        /** The worker gets it after the hook has run. */
        PASS
    }

    /**
     * A fault.
     *
     * @param after the ends of the requests that have to come first, one after the other, with {@code THEN} between
     *     them; empty for none
     * @param request the end of the request that it is about
     * @param effect what happens to it
     */
    record Fault(String after, String request, Effect effect) {

        @Override
        public String toString() {
            return effect + " at " + request + (after.isEmpty() ? "" : " after " + after);
        }
    }

    private final HttpClient client = HttpClient.newHttpClient();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpServer server;
    private final URI worker;
    private final Deque<String> before = new ArrayDeque<>();
    private Fault fault;
    private Runnable hook;
    private boolean cut;
    private boolean unassigned;
    private volatile HttpRequest late;
    private volatile HttpRequest overtaken;
    private Thread victim;

    RestProxy(URI worker) throws IOException {
        this.worker = worker;
        this.server = HttpServer.create(new InetSocketAddress(HOST, 0), BACKLOG);
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    URI address() {
        return URI.create("http://" + HOST + ":" + server.getAddress().getPort());
    }

    /**
     * Prepares a fault, in place of the one before.
     *
     * @param wanted the fault; null for none
     * @param killed the thread that {@code DIE_BEFORE} and {@code DIE_AFTER} interrupt
     * @param action runs before the fault
     */
    synchronized void fail(Fault wanted, Thread killed, Runnable action) {
        fault = wanted;
        victim = killed;
        hook = action;
        before.clear();
        if (wanted != null && !wanted.after().isEmpty()) {
            before.addAll(List.of(wanted.after().split(THEN)));
        }
        cut = false;
        unassigned = false;
    }

    /** Whether the fault is still to come. */
    synchronized boolean isPending() {
        return fault != null;
    }

    /** The effect on this request. */
    private synchronized Effect effect(String request) {
        if (cut) {
            return Effect.CUT;
        }
        if (fault == null) {
            return Effect.PASS;
        }
        if (!before.isEmpty()) {
            if (request.endsWith(before.peek())) {
                before.remove();
            }
            return Effect.PASS;
        }
        if (!request.endsWith(fault.request())) {
            return Effect.PASS;
        }
        Effect effect = fault.effect();
        if (effect == Effect.UNASSIGNED && !unassigned) {
            unassigned = true;
            return effect;
        }
        fault = null;
        cut = effect == Effect.CUT;
        hook.run();
        return effect;
    }

    private void handle(HttpExchange exchange) {
        try (exchange) {
            String request = exchange.getRequestMethod() + " " + exchange.getRequestURI();
            Effect effect = effect(request);
            switch (effect) {
                case REFUSE ->
                    answer(exchange, 500, "{\"message\":\"refused by a test\"}".getBytes(StandardCharsets.UTF_8));
                case UNKNOWN -> answer(exchange, 404, "{\"message\":\"HTTP 404\"}".getBytes(StandardCharsets.UTF_8));
                case PASS -> {
                    sendLate(exchange.getRequestMethod());
                    HttpResponse<byte[]> response = forward(exchange);
                    sendOvertaken(exchange.getRequestMethod());
                    answer(exchange, response.statusCode(), response.body());
                }
                case UNASSIGNED -> {
                    HttpResponse<byte[]> response = forward(exchange);
                    String status = new String(response.body(), StandardCharsets.UTF_8);
                    answer(
                            exchange,
                            response.statusCode(),
                            status.replace("STOPPED", "UNASSIGNED").getBytes(StandardCharsets.UTF_8));
                }
                case LOSE_ANSWER -> {
                    HttpResponse<byte[]> ignored = forward(exchange);
                }
                case DIE_AFTER -> {
                    HttpResponse<byte[]> ignored = forward(exchange);
                    victim.interrupt();
                }
                case LATE -> late = request(exchange);
                case OVERTAKEN -> overtaken = request(exchange);
                case DIE_BEFORE -> victim.interrupt();
                case CUT -> {}
            }
        } catch (IOException e) {
            // The client has gone, or the worker has: the connection is closed, which is all that the client sees.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The client sends one request after the other. */
    private void sendLate(String nextMethod) throws IOException, InterruptedException {
        HttpRequest held = late;
        if (held != null && nextMethod.equals("PUT")) {
            late = null;
            HttpResponse<byte[]> ignored = client.send(held, BodyHandlers.ofByteArray());
        }
    }

    private void sendOvertaken(String method) throws IOException, InterruptedException {
        HttpRequest held = overtaken;
        if (held != null && method.equals("PUT")) {
            overtaken = null;
            HttpResponse<byte[]> ignored = client.send(held, BodyHandlers.ofByteArray());
        }
    }

    private HttpResponse<byte[]> forward(HttpExchange exchange) throws IOException, InterruptedException {
        return client.send(request(exchange), BodyHandlers.ofByteArray());
    }

    private HttpRequest request(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        return HttpRequest.newBuilder(
                        URI.create(worker + exchange.getRequestURI().toString()))
                .header("Content-Type", "application/json")
                .method(
                        exchange.getRequestMethod(),
                        body.length == 0 ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body))
                .build();
    }

    private static void answer(HttpExchange exchange, int status, byte[] body) throws IOException {
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
