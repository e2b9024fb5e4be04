package io.microbatch.connect.docs;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * A server that answers as a task of the HTTP upstream. It is ready. The key of a request decides the answer: one that
 * begins with {@link #LOST} gets none, one that begins with {@link #FULL} gets a 503, any other gets a 200.
 */
final class ScriptedTask implements Closeable {

    static final String LOST = "lost";
    static final String FULL = "full";
    static final String NO_KEY = "";
    static final String FULL_BODY = "{\"error_code\":50301,\"message\":\"full\"}";
    static final String RETRY_AFTER_S = "7";
    static final String NUMBER = "Task-Number";

    private final Queue<String> keys = new ConcurrentLinkedQueue<>();
    private final int number;
    private HttpServer server;

    ScriptedTask(int number) {
        this.number = number;
    }

    /** Listens. Port 0 takes a free one. */
    void start(String host, int port) throws IOException {
        server = HttpServer.create(new InetSocketAddress(host, port), 0);
        server.createContext("/health/ready", exchange -> answer(exchange, 200, "{}"));
        server.createContext("/events/", this::event);
        server.start();
    }

    int port() {
        return server.getAddress().getPort();
    }

    int number() {
        return number;
    }

    /** How often the task has seen the key, {@link #NO_KEY} for requests without one. */
    long seen(String key) {
        return keys.stream().filter(key::equals).count();
    }

    private void event(HttpExchange exchange) throws IOException {
        String key = exchange.getRequestHeaders()
                .getOrDefault("Idempotency-Key", List.of(NO_KEY))
                .get(0);
        boolean ignored = keys.add(key);
        if (key.startsWith(LOST)) {
            exchange.close();
        } else if (key.startsWith(FULL)) {
            exchange.getResponseHeaders().set("Retry-After", RETRY_AFTER_S);
            answer(exchange, 503, FULL_BODY);
        } else {
            answer(exchange, 200, "{\"offsets\":[{\"partition\":0,\"offset\":1}]}");
        }
    }

    private void answer(HttpExchange exchange, int status, String body) throws IOException {
        exchange.getResponseHeaders().set(NUMBER, Integer.toString(number));
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    @Override
    public void close() {
        if (server != null) {
            server.stop(0);
        }
    }
}
