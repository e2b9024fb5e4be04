package io.microbatch.connect.upstream.http;

import io.microbatch.connect.ack.TaskPace;
import io.microbatch.connect.config.HttpConfig;
import io.microbatch.connect.config.MicrobatchConfig;
import io.microbatch.testbed.Await;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;

/** A server on a free port of the loopback address. The test plays the reader and Connect. */
final class RunningServer implements AutoCloseable {

    static final String TOPIC = "orders";
    static final Duration PATIENCE = Duration.ofSeconds(30);

    final TaskPace pace = new TaskPace(System.nanoTime());
    final Service service;
    final HttpServer server;

    /** A server with one event loop and these settings of {@code upstream.http}. */
    RunningServer(Map<String, String> settings) {
        this(settings, System::nanoTime);
    }

    /** The same, with a clock of the test. The timers of event loops keep theirs. */
    RunningServer(Map<String, String> settings, LongSupplier nanoClock) {
        this(settings, nanoClock, HttpServer.STOP_LIMITS);
    }

    /** The same, with limits of the test for the server's end. */
    RunningServer(Map<String, String> settings, LongSupplier nanoClock, HttpServer.StopLimits stopLimits) {
        this(settings, nanoClock, stopLimits, null);
    }

    /** The same over TLS, unless there is none. */
    RunningServer(
            Map<String, String> settings, LongSupplier nanoClock, HttpServer.StopLimits stopLimits, TlsContext tls) {
        Map<String, String> config = new HashMap<>();
        config.put("upstream.type", "http");
        config.put("upstream.http.topics", TOPIC + ":3");
        config.put("upstream.http.port", "0");
        config.put("upstream.http.threads", "1");
        config.put("upstream.http.stall.ms", "600000");
        settings.forEach((key, value) -> config.put("upstream.http." + key, value));
        HttpConfig http = new MicrobatchConfig(config).http();
        service = new Service(
                http,
                new HttpIdentity("shop", 0, 1),
                new Access(http),
                new Bodies(http, System::currentTimeMillis),
                new Admission(http, pace, nanoClock),
                new Inbox(),
                new HttpFigures(),
                nanoClock);
        server = HttpServer.open(service, tls, stopLimits);
        service.admission().open();
    }

    RawClient connect() {
        return new RawClient(server.port());
    }

    /** The next request of a client, as the reader would take it. */
    PendingRequest take() {
        Await.until("a request", PATIENCE, () -> !service.inbox().isEmpty(), () -> "none");
        service.admission().taken();
        return service.inbox().poll();
    }

    /** The next request, offered to the task. */
    PendingRequest offered() {
        PendingRequest request = take();
        if (request.offer() == null) {
            throw new IllegalStateException("answered already");
        }
        return request;
    }

    /** Settles all records of a request at consecutive offsets from this one. */
    static void settle(PendingRequest request, long offset) {
        for (int i = 0; i < request.places().records(); i++) {
            request.settled(i, new RecordMetadata(new TopicPartition(TOPIC, 0), offset + i, 0, 0, 0, 0));
        }
    }

    /** Waits until the event loop has done what it had to do. */
    void passLoop() {
        try (RawClient other = connect()) {
            other.send("GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n");
            if (other.response().status() != 200) {
                throw new IllegalStateException("not live");
            }
        }
    }

    @Override
    public void close() {
        server.close(false);
    }
}
