package io.microbatch.connect.it;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.microbatch.testbed.Await;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** A client of one task's HTTP endpoints. Safe on any thread. */
final class HttpPoster {

    static final String JSON_RECORDS = "application/vnd.kafka.json.v2+json";
    static final String LINES = "application/x-ndjson";

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(10))
            .build();
    private final URI base;

    HttpPoster(int port) {
        this.base = URI.create("http://127.0.0.1:" + port);
    }

    /** An answer: the status, the body and, of a success, the number of records. */
    record Reply(int status, String body, HttpResponse<String> response) {

        /** A field of the body, as a JSON pointer. */
        JsonNode at(String pointer) {
            try {
                return JSON.readTree(body).at(pointer);
            } catch (IOException e) {
                throw new IllegalStateException(body, e);
            }
        }

        @Override
        public String toString() {
            return status + " " + body;
        }
    }

    Reply post(String path, String mediaType, String body, String... headers) {
        return get(postLater(path, mediaType, body, headers));
    }

    CompletableFuture<Reply> postLater(String path, String mediaType, String body, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(base.resolve(path))
                .timeout(PATIENCE)
                .header("Content-Type", mediaType)
                .POST(HttpRequest.BodyPublishers.ofByteArray(body.getBytes(StandardCharsets.UTF_8)));
        if (headers.length > 0) {
            request = request.headers(headers);
        }
        return send(request.build());
    }

    Reply get(String path) {
        return get(send(
                HttpRequest.newBuilder(base.resolve(path)).timeout(PATIENCE).build()));
    }

    private CompletableFuture<Reply> send(HttpRequest request) {
        return client.sendAsync(request, HttpResponse.BodyHandlers.ofString())
                .thenApply(response -> new Reply(response.statusCode(), response.body(), response));
    }

    private static Reply get(CompletableFuture<Reply> reply) {
        return reply.orTimeout(PATIENCE.toSeconds(), java.util.concurrent.TimeUnit.SECONDS)
                .join();
    }

    /** Waits until the task takes requests. */
    void awaitReady() {
        Await.until("the task behind " + base + " is ready", PATIENCE, this::isReady, () -> "no answer or not ready");
    }

    boolean isReady() {
        try {
            return get("/health/ready").status() == 200;
        } catch (java.util.concurrent.CompletionException e) {
            return false;
        }
    }
}
