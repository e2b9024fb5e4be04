package io.microbatch.bench.outbox;

import io.microbatch.bench.outbox.peer.RelayPlan;
import io.microbatch.testbed.JavaServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.stream.Collectors;

/** A relay in the process of all relays. */
final class RelayCarrier implements Carrier {

    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(60);

    private final JavaServer process;
    private final RelayPlan plan;
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    RelayCarrier(JavaServer process, RelayPlan plan) {
        this.process = process;
        this.plan = plan;
    }

    @Override
    public void start() {
        ask("/run?"
                + plan.settings().entrySet().stream()
                        .map(setting -> setting.getKey() + "=" + setting.getValue())
                        .collect(Collectors.joining("&")));
    }

    @Override
    public void stop() {
        ask("/stop");
    }

    @Override
    public void remove() {
        // It keeps nothing: what it has not carried is in the table.
    }

    @Override
    public void requireRunning() {
        ask("/status");
    }

    @Override
    public long pid() {
        return process.pid();
    }

    private void ask(String what) {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + process.announced() + what))
                .timeout(ANSWER_LIMIT)
                .POST(HttpRequest.BodyPublishers.noBody())
                .build();
        try {
            HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
            if (answer.statusCode() != 200) {
                throw new IllegalStateException("the relay has failed: " + answer.body());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(process.logTail(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
