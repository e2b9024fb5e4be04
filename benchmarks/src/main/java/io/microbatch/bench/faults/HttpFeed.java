package io.microbatch.bench.faults;

import io.microbatch.bench.http.Ledger;
import io.microbatch.bench.http.Outcome;
import io.microbatch.testbed.Ports;
import io.microbatch.testbed.oracle.Event;
import io.microbatch.testbed.oracle.EventText;
import io.microbatch.testbed.oracle.Findings;
import io.microbatch.testbed.oracle.Oracle;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;

/**
 * Clients that post events and note what they were told: written, not written, or unknown. Each client is a source
 * partition with one request at a time. With keys a request is sent again, to the same task number, until it is
 * answered with 200. Without keys a request is sent once, and the next event has another number.
 */
final class HttpFeed extends Feed {

    private static final int CLIENTS = 16;
    private static final int TASKS = 4;
    private static final int TOPIC_PARTITIONS = 3;
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(60);
    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(150);
    private static final long END_LIMIT_MS = 90_000;
    private static final long HUNG_NANOS = TimeUnit.MILLISECONDS.toNanos(HttpPost.TIMEOUT_MS + 1_000L);

    private final boolean isKeyed;
    private final int firstPort = Ports.free(TASKS);
    private final TaskDirectory directory;
    private final HttpPost post;
    private final Ledger ledger = new Ledger(CLIENTS);
    private final WaitTimes waits = new WaitTimes(HUNG_NANOS);
    /** By outcome. With keys an event may take several. */
    private final AtomicLongArray attempts = new AtomicLongArray(Outcome.values().length);

    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean isSealed;
    private volatile boolean isClosed;
    /** Once all clients have ended. */
    private AnsweredEvents answered;

    HttpFeed(String name, long run, List<URI> workers, boolean isKeyed) {
        super(name, run, CLIENTS, TOPIC_PARTITIONS);
        this.isKeyed = isKeyed;
        this.directory = new TaskDirectory(workers, name, firstPort);
        this.post = new HttpPost(name);
    }

    @Override
    Map<String, String> config() {
        Map<String, String> config = new HashMap<>();
        config.put("tasks.max", Integer.toString(TASKS));
        config.put("upstream.type", "http");
        config.put("upstream.http.topics", name);
        config.put("upstream.http.port", Integer.toString(firstPort));
        for (String converter : List.of("key.converter", "value.converter", "header.converter")) {
            config.put(converter, "org.apache.kafka.connect.converters.ByteArrayConverter");
        }
        return config;
    }

    @Override
    void begin() {
        for (int client = 0; client < CLIENTS; client++) {
            int number = client;
            Thread thread = new Thread(() -> send(number), "faults-client-" + client);
            thread.setDaemon(true);
            threads.add(thread);
            thread.start();
        }
    }

    private void send(int client) {
        try {
            Outcome last = Outcome.UNKNOWN;
            // The last event of a client is one that was written: so the end of the stream is known.
            while (!isClosed && !(isSealed && last == Outcome.WRITTEN)) {
                int number = ledger.begin(client);
                last = send(client, number);
                ledger.end(client, number, last);
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Sends an event until it has an outcome. */
    private Outcome send(int client, int number) throws InterruptedException {
        String event = EventText.of(new Event(run, client, number, System.currentTimeMillis()));
        String key = isKeyed ? run + "-" + client + "-" + number : "";
        while (!isClosed) {
            Optional<Outcome> outcome = attempt(client, key, event);
            boolean isOver = outcome.isPresent() && (!isKeyed || outcome.get() == Outcome.WRITTEN);
            if (isOver) {
                return outcome.get();
            }
            LockSupport.parkNanos(RETRY_NANOS);
        }
        return Outcome.UNKNOWN;
    }

    /** Empty if nothing was sent. */
    private Optional<Outcome> attempt(int client, String key, String event) throws InterruptedException {
        // A key is known to the task number that it was first sent to.
        int tasks = isKeyed ? TASKS : Math.max(1, directory.count());
        Optional<URI> server = directory.address(client % tasks);
        if (server.isEmpty()) {
            directory.refresh();
            return Optional.empty();
        }
        long beganNanos = System.nanoTime();
        Optional<Outcome> outcome = post.post(server.get(), "client-" + client, key, event);
        if (outcome.isPresent()) {
            waits.waited(beganNanos, System.nanoTime());
            long ignored = attempts.incrementAndGet(outcome.get().ordinal());
        }
        if (outcome.orElse(null) != Outcome.WRITTEN) {
            directory.refresh();
        }
        return outcome;
    }

    @Override
    void workerWasFrozen(long fromNanos, long toNanos) {
        waits.frozen(fromNanos, toNanos);
    }

    @Override
    void seal(long[] highest) {
        isSealed = true;
        long untilMs = System.currentTimeMillis() + END_LIMIT_MS;
        for (Thread thread : threads) {
            try {
                thread.join(Math.max(1, untilMs - System.currentTimeMillis()));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(e);
            }
            if (thread.isAlive()) {
                throw new IllegalStateException("a client got no 200 for its last event: " + thread.getName());
            }
        }
        answered = new AnsweredEvents(run, ledger);
    }

    /** The last event of each client was written. */
    @Override
    long[] truth() {
        long[] truth = new long[CLIENTS];
        for (int client = 0; client < CLIENTS; client++) {
            truth[client] = ledger.requests(client);
        }
        return truth;
    }

    @Override
    long[] expected(long[] highest) {
        return answered.expected();
    }

    @Override
    void show(byte[] value, long appendedMs, Oracle oracle) {
        answered.show(decode(value), appendedMs, oracle);
    }

    @Override
    Optional<HttpResult> http(Findings found) {
        return Optional.of(answered.result(found, attempts::get, waits.hung()));
    }

    @Override
    public void close() {
        super.close();
        isClosed = true;
        threads.forEach(Thread::interrupt);
    }
}
