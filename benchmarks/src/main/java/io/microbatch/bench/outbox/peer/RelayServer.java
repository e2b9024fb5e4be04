package io.microbatch.bench.outbox.peer;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * A process that runs one relay at a time and stays, so that its code is compiled when it counts. {@code POST /run}
 * begins, {@code POST /stop} ends with the batches under way, {@code GET /status} answers 500 with the cause when the
 * relay has failed. Prints its port when it is ready, and runs until it gets SIGTERM.
 */
public final class RelayServer {

    /** What its line begins with when it is ready. The port follows. */
    public static final String READY = "relays on port ";

    private static final int OK = 200;
    private static final int FAILED = 500;

    private final RelayRun.Servers servers;
    private RelayRun running;

    private RelayServer(RelayRun.Servers servers) {
        this.servers = servers;
    }

    /** Serves. The arguments are the bootstrap servers, and the URL, user and password of the database. */
    public static void main(String[] arguments) throws IOException {
        RelayServer relays =
                new RelayServer(new RelayRun.Servers(arguments[0], arguments[1], arguments[2], arguments[3]));
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", relays::answer);
        server.start();
        System.out.println(READY + server.getAddress().getPort());
    }

    private void answer(HttpExchange exchange) throws IOException {
        String problem;
        try {
            problem = carryOut(exchange);
        } catch (RuntimeException e) {
            problem = e.toString();
        }
        byte[] text = (problem.isEmpty() ? "ok" : problem).getBytes(StandardCharsets.UTF_8);
        try (exchange) {
            exchange.sendResponseHeaders(problem.isEmpty() ? OK : FAILED, text.length);
            exchange.getResponseBody().write(text);
        }
    }

    /** Answers the problem, or nothing. One thread serves all requests. */
    private String carryOut(HttpExchange exchange) {
        switch (exchange.getRequestURI().getPath()) {
            case "/run" -> {
                if (running != null) {
                    return "a relay is running";
                }
                running = RelayRun.begin(
                        servers, RelayPlan.of(settings(exchange.getRequestURI().getQuery())));
                return "";
            }
            case "/stop" -> {
                String problem = running == null ? "no relay is running" : running.end();
                running = null;
                return problem;
            }
            case "/status" -> {
                return running == null ? "no relay is running" : running.problem();
            }
            default -> {
                return "no such path";
            }
        }
    }

    private static Map<String, String> settings(String query) {
        Map<String, String> settings = new HashMap<>();
        for (String each : query.split("&", -1)) {
            int equals = each.indexOf('=');
            settings.put(each.substring(0, equals), each.substring(equals + 1));
        }
        return settings;
    }
}
