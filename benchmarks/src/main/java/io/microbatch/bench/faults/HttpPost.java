package io.microbatch.bench.faults;

import io.microbatch.bench.http.Outcome;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;

/** Posts events, and answers what a client may conclude. Safe on any thread. */
final class HttpPost {

    /** The timeout that requests name. */
    static final int TIMEOUT_MS = 5_000;

    private static final Duration CONNECT_LIMIT = Duration.ofSeconds(2);

    /** Longer than a hung request has to be to count, and than a frozen worker can delay an answer. */
    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(20);

    private static final Pattern ERROR = Pattern.compile("\"error_code\"\\s*:\\s*[^n\\s]");

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT_LIMIT)
            .build();
    private final String topic;

    HttpPost(String topic) {
        this.topic = topic;
    }

    /**
     * Posts an event and waits for the answer.
     *
     * @param recordKey the key of the record, which decides about its partition
     * @param idempotencyKey empty for none
     * @return empty if the request was not sent, because nobody listens
     */
    Optional<Outcome> post(URI server, String recordKey, String idempotencyKey, String event)
            throws InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(server.resolve("/events/" + topic))
                .timeout(ANSWER_LIMIT)
                .header("Content-Type", "text/plain")
                .header("X-Kafka-Key", recordKey)
                .header("X-Request-Timeout-Ms", Integer.toString(TIMEOUT_MS))
                .POST(HttpRequest.BodyPublishers.ofString(event, StandardCharsets.US_ASCII));
        if (!idempotencyKey.isEmpty()) {
            request.header("Idempotency-Key", '"' + idempotencyKey + '"');
        }
        try {
            HttpResponse<String> answer = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
            return Optional.of(
                    Outcome.of(answer.statusCode(), ERROR.matcher(answer.body()).find()));
        } catch (ConnectException | HttpConnectTimeoutException e) {
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of(Outcome.UNKNOWN);
        }
    }
}
