package io.microbatch.connect.upstream.http;

import io.microbatch.connect.ack.SettledEvent;
import io.microbatch.connect.ack.TaskPace;
import io.microbatch.connect.config.HttpAuthConfig;
import io.microbatch.connect.config.HttpConfig;
import io.microbatch.connect.metrics.UpstreamMetric;
import io.microbatch.connect.upstream.Intake;
import io.microbatch.connect.upstream.Progress;
import io.microbatch.connect.upstream.UpstreamReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.LongUnaryOperator;
import org.apache.kafka.connect.storage.OffsetStorageReader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes the requests of a task's clients, numbers them and hands over their events. The server parses and answers on
 * its own threads.
 */
final class HttpReader implements UpstreamReader {

    /** The field of the source partition: the task's number. */
    static final String PARTITION_FIELD = "http";

    /** The field of the source offset: the number of the request. */
    static final String OFFSET_FIELD = "n";

    /** The code of a key that was used for another request. */
    private static final int OTHER_CONTENT = 42230;

    private static final Logger log = LoggerFactory.getLogger(HttpReader.class);
    private static final long WAIT_NANOS = 100_000_000;
    private static final int BURST = 256;

    private final HttpConfig config;
    private final OffsetStorageReader offsets;
    private final TaskPace pace;
    private final LongUnaryOperator usableNanos;
    private final LongSupplier nanoClock;
    private final Service service;
    private final Map<String, Integer> sourcePartition;
    private final boolean answersSoon;
    private final AckClock ackClock;

    private KeyWindow window;
    private long number;
    private TlsContext tls;
    private volatile HttpServer server;
    private volatile boolean isStopping;

    /**
     * Prepares the server.
     *
     * @param answersSoon whether a batch need not wait for T where it costs no transaction
     * @param usableNanos the part of a latency budget that waiting and acknowledgement may use together
     */
    HttpReader(
            HttpConfig config,
            boolean answersSoon,
            HttpIdentity identity,
            OffsetStorageReader offsets,
            TaskPace pace,
            LongUnaryOperator usableNanos,
            LongSupplier nanoClock) {
        this.config = config;
        this.answersSoon = answersSoon;
        this.offsets = offsets;
        this.pace = pace;
        this.usableNanos = usableNanos;
        this.nanoClock = nanoClock;
        this.sourcePartition = Map.of(PARTITION_FIELD, identity.task());
        this.service = new Service(
                config,
                identity,
                new Access(config),
                new Bodies(config, System::currentTimeMillis),
                new Admission(config, pace, nanoClock),
                new Inbox(),
                new HttpFigures(),
                nanoClock);
        this.ackClock = new AckClock(service.inbox()::wake);
    }

    @Override
    public void start() {
        window = new KeyWindow(service.identity().task(), config.idempotencyKeys());
        number = Math.max(lastNumber(), window.load(offsets));
        if (config.tls().isOn() && tls == null) {
            tls = new TlsContext(config.tls(), config.auth().method() == HttpAuthConfig.Method.MTLS, nanoClock);
        }
        server = HttpServer.open(service, tls);
        if (isStopping) {
            // Otherwise nobody would tell the server, which the task could not see.
            server.stopping();
            return;
        }
        service.admission().open();
        service.figures().listensOn(server.port());
        log.info(
                "Listens on {}:{}{}", config.host(), server.port(), config.tls().isOn() ? " with TLS" : "");
    }

    private long lastNumber() {
        Map<String, Object> committed = offsets.offset(sourcePartition);
        return committed != null && committed.get(OFFSET_FIELD) instanceof Number last ? last.longValue() : 0;
    }

    @Override
    public void fetch(Intake intake) throws InterruptedException {
        PendingRequest next = service.inbox().poll();
        if (next == null) {
            service.inbox().await(WAIT_NANOS, this::isDeparture);
            next = service.inbox().poll();
        }
        for (int i = 0; i < BURST && next != null; i++) {
            handOver(next, intake);
            next = i + 1 < BURST ? service.inbox().poll() : null;
        }
        if (service.inbox().isEmpty() && isDeparture()) {
            ackClock.leave();
            intake.leaveBy(service.nowNanos());
        }
    }

    private boolean isDeparture() {
        return answersSoon && pace.isAtLeastOnce() && ackClock.isDue();
    }

    private void handOver(PendingRequest request, Intake intake) throws InterruptedException {
        service.admission().taken();
        if (request.key() != null && (answerRepeat(request) || refuseIfFull(request))) {
            return;
        }
        List<HttpEvent> events = request.offer();
        if (events == null) {
            return;
        }
        number++;
        List<HttpRecord> run = request.key() == null ? unkeyed(request, events) : keyed(request, events);
        request.handedOver();
        if (answersSoon) {
            ackClock.handedOver();
            request.whenSettled(ackClock::settled);
        }
        Deadline deadline = request.deadline();
        Admission admission = service.admission();
        // Waiting for more events gains nothing.
        boolean leavesNow = service.inbox().isEmpty() && (admission.everybodyWaits() || admission.isCrowded());
        long leaveByNanos = leavesNow ? service.nowNanos() : deadline.leaveByNanos(usableNanos, pace.usualAckNanos());
        intake.addAll(run, deadline.arrivalNanos(), leaveByNanos, request::becomesVisible);
    }

    private List<HttpRecord> unkeyed(PendingRequest request, List<HttpEvent> events) {
        Map<String, Long> offset = Map.of(OFFSET_FIELD, number);
        List<HttpRecord> run = new ArrayList<>(events.size());
        for (HttpEvent event : events) {
            run.add(new HttpRecord(request, run.size(), event, sourcePartition, offset));
        }
        return run;
    }

    private List<HttpRecord> keyed(PendingRequest request, List<HttpEvent> events) {
        KeyEntry entry = window.add(request.key(), request.places());
        Map<String, ?> partition = window.partition(entry);
        Map<String, ?> offset = window.offset(entry, number, false);
        List<HttpRecord> run = new ArrayList<>(events.size());
        for (HttpEvent event : events) {
            if (run.size() + 1 == events.size()) {
                offset = window.offset(entry, number, true);
            }
            run.add(new HttpRecord(request, run.size(), event, partition, offset));
        }
        return run;
    }

    /** Answers a request whose key is known. Nothing is written then. Returns whether the key is known. */
    private boolean answerRepeat(PendingRequest request) {
        KeyEntry known = window.find(request.key().id());
        if (known != null && known.isDropped()) {
            window.remove(known);
            known = null;
        }
        if (known == null) {
            return false;
        }
        if (known.key().content() != request.key().content()) {
            request.answerWith(
                    Answer.error(422, OTHER_CONTENT, "The key was used before, for another request."),
                    service.figures()::refusedToClient);
        } else if (!known.isSettled()) {
            request.answerWith(
                    Answer.of(Cause.CONFLICT, 1), () -> service.figures().ended(Cause.CONFLICT));
        } else {
            Answer first = known.places() == null
                    ? Answer.withoutPlaces(request.places().records())
                    : Answer.settled(known.places());
            request.answerWith(first.replayed(), service.figures()::replayed);
        }
        return true;
    }

    /** Refuses a request if the window cannot take its key. Returns whether it is refused. */
    private boolean refuseIfFull(PendingRequest request) {
        if (window.hasRoom()) {
            return false;
        }
        service.admission().turnedAway();
        Answer full = Answer.of(Cause.FULL, service.admission().retryAfterSec());
        request.answerWith(full, () -> service.figures().ended(Cause.FULL));
        return true;
    }

    /** A request of which Kafka has nothing is not remembered. */
    @Override
    public void settled(SettledEvent event) {
        if (!event.isDelivered()
                && event.sourceOffset() instanceof WindowOffset offset
                && offset.entry() != null
                && offset.entry().isDropped()) {
            window.remove(offset.entry());
        }
    }

    /** Called also while a stripe is full. A certificate may expire meanwhile. */
    @Override
    public void committed(Progress progress) {
        if (tls != null) {
            boolean ignored = tls.refresh();
        }
    }

    @Override
    public List<UpstreamMetric.Figure> figures() {
        return service.figures().all(service.admission());
    }

    @Override
    public void stopping() {
        isStopping = true;
        service.admission().stop();
        HttpServer running = server;
        if (running != null) {
            running.stopping();
        }
        service.inbox().wake();
    }

    @Override
    public void abandon() {
        HttpServer running = server;
        if (running != null) {
            running.abandon();
        }
    }

    @Override
    public void stop() {
        HttpServer running = server;
        if (running != null) {
            running.close(isStopping);
            service.figures().listensOn(0);
            server = null;
        }
    }
}
