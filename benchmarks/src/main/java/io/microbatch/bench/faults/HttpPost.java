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
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

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

    private HttpRequest.Builder request(URI server, String path, String mediaType, String body) {
        return HttpRequest.newBuilder(server.resolve(path + topic))
                .timeout(ANSWER_LIMIT)
                .header("Content-Type", mediaType)
                .header("X-Request-Timeout-Ms", Integer.toString(TIMEOUT_MS))
                .POST(HttpRequest.BodyPublishers.ofString(body, StandardCharsets.US_ASCII));
    }

    /** Neither a key nor an event has a character that JSON writes in another way. */
    private static String records(String recordKey, List<String> events) {
        return events.stream()
                .map(event -> "{\"key\":\"" + recordKey + "\",\"value\":\"" + event + "\"}")
                .collect(Collectors.joining(",", "{\"records\":[", "]}"));
    }

    /**
     * Posts the events of a request and waits for the answer.
     *
     * @param recordKey the key of the records, which decides about their partition
     * @param idempotencyKey empty for none
     * @return empty if the request was not sent, because nobody listens
     */
    Optional<Outcome> post(URI server, String recordKey, String idempotencyKey, List<String> events)
            throws InterruptedException {
        HttpRequest.Builder request = events.size() == 1
                ? request(server, "/events/", "text/plain", events.get(0)).header("X-Kafka-Key", recordKey)
                : request(server, "/topics/", "application/vnd.kafka.text.v2+json", records(recordKey, events));
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
