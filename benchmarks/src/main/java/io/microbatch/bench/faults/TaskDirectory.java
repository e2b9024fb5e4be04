package io.microbatch.bench.faults;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * Where the tasks of a connector listen, as a client without a load balancer finds them: Connect's REST names the
 * worker of each task, and the port is the first one plus the number of the task. Safe on any thread.
 */
final class TaskDirectory {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration ASK_LIMIT = Duration.ofSeconds(2);

    /** Many clients that lose their connection at once are one question. */
    private static final long FRESH_NANOS = TimeUnit.MILLISECONDS.toNanos(300);

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(ASK_LIMIT)
            .build();
    private final List<URI> workers;
    private final String connector;
    private final int firstPort;
    private Map<Integer, URI> tasks = Map.of();
    private long askedNanos = System.nanoTime() - FRESH_NANOS;

    TaskDirectory(List<URI> workers, String connector, int firstPort) {
        this.workers = List.copyOf(workers);
        this.connector = connector;
        this.firstPort = firstPort;
    }

    /** Where this task listens. Empty while it does not run, as far as is known. */
    synchronized Optional<URI> address(int task) {
        return Optional.ofNullable(tasks.get(task));
    }

    /** How many tasks run, as far as is known. */
    synchronized int count() {
        return tasks.size();
    }

    /** Asks the first worker that answers, unless somebody has just done so. */
    synchronized void refresh() throws InterruptedException {
        if (System.nanoTime() - askedNanos < FRESH_NANOS) {
            return;
        }
        for (URI worker : workers) {
            try {
                URI status = worker.resolve("/connectors/" + connector + "/status");
                HttpResponse<byte[]> answer = http.send(
                        HttpRequest.newBuilder(status).timeout(ASK_LIMIT).build(),
                        HttpResponse.BodyHandlers.ofByteArray());
                if (answer.statusCode() == 200) {
                    tasks = running(JSON.readTree(answer.body()), firstPort);
                    break;
                }
            } catch (IOException e) {
                // This worker is down or frozen; the next one may know.
                continue;
            }
        }
        askedNanos = System.nanoTime();
    }

    /** The addresses of the running tasks in a status. */
    static Map<Integer, URI> running(JsonNode status, int firstPort) {
        Map<Integer, URI> running = new TreeMap<>();
        for (JsonNode task : status.path("tasks")) {
            if (task.path("state").asText().equals("RUNNING")) {
                String worker = task.path("worker_id").asText();
                String host = worker.substring(0, Math.max(0, worker.lastIndexOf(':')));
                int number = task.path("id").asInt();
                running.put(number, URI.create("http://" + host + ":" + (firstPort + number)));
            }
        }
        return running;
    }
}
