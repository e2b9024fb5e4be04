package io.microbatch.bench.http;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Sends requests over a number of connections from one thread, which takes the least of the processors that it shares
 * with the server: 256 answers of one commit are one wake-up. A connection has one request at a time.
 *
 * <p>In a closed loop each connection sends its next request at once. In an open loop requests are due at a rate, go to
 * the connection that has been free for longest, and wait where none is free; their latency begins when they are due.
 */
final class LoadLoop implements AutoCloseable {

    private static final long MS = TimeUnit.MILLISECONDS.toNanos(1);

    /** Beyond a request's timeout: then its connection is closed. */
    private static final long HUNG_AFTER_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final long LOOK_FOR_HUNG_NANOS = 100 * MS;
    private static final long RECONNECT_NANOS = 50 * MS;
    /** How long to sleep at most for a request that is due in less than a millisecond. */
    private static final long SHORT_SLEEP_NANOS = 200_000;

    private static final int SCRATCH_BYTES = 64 << 10;

    private final Shape shape;
    private final Ledger ledger;
    private final Selector selector;
    private final List<ClientConnection> all = new ArrayList<>();
    private final Deque<ClientConnection> free = new ArrayDeque<>();
    private final Deque<ClientConnection> broken = new ArrayDeque<>();
    private final ByteBuffer scratch = ByteBuffer.allocateDirect(SCRATCH_BYTES);
    private LoadCount count;
    private long nowNanos;
    private long reconnectAtNanos = System.nanoTime();
    private int waiting;
    private String refusal = "";

    /**
     * The times of a load, in milliseconds.
     *
     * @param settleMs how long it runs before it counts
     * @param measuredMs how long it counts
     */
    record Times(long settleMs, long measuredMs) {}

    /** Connects all clients. */
    LoadLoop(URI server, String topic, Shape shape, int clients, int run) {
        this.shape = shape;
        this.ledger = new Ledger(clients);
        try {
            selector = Selector.open();
            for (int client = 0; client < clients; client++) {
                RequestBytes requests = new RequestBytes(server, topic, shape, run, client);
                ClientConnection connection = new ClientConnection(client, server, selector, requests);
                all.add(connection);
                connection.open();
                free.add(connection);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot connect to " + server, e);
        }
    }

    /**
     * Sends until the measured part is over, and waits for the last answers.
     *
     * @param perSec requests per second; 0 for a closed loop
     * @param atBegin called when the measured part begins
     * @param atEnd called when it ends
     */
    LoadFigures run(double perSec, Times times, Runnable atBegin, Runnable atEnd) {
        try {
            return send(perSec, times, atBegin, atEnd);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private LoadFigures send(double perSec, Times times, Runnable atBegin, Runnable atEnd) throws IOException {
        nowNanos = System.nanoTime();
        long startNanos = nowNanos;
        long fromNanos = startNanos + times.settleMs() * MS;
        long toNanos = fromNanos + times.measuredMs() * MS;
        double gapNanos = perSec == 0 ? 0 : 1e9 / perSec;
        count = new LoadCount(fromNanos, toNanos);
        long sent = 0;
        long lookedNanos = startNanos;
        boolean begun = false;
        boolean ended = false;
        while (!ended || waiting > 0) {
            nowNanos = System.nanoTime();
            if (!begun && nowNanos - fromNanos >= 0) {
                begun = true;
                atBegin.run();
            }
            if (!ended && nowNanos - toNanos >= 0) {
                ended = true;
                atEnd.run();
            }
            long dueNanos = nowNanos;
            while (!ended && !free.isEmpty()) {
                dueNanos = perSec == 0 ? nowNanos : startNanos + (long) (sent * gapNanos);
                if (dueNanos - nowNanos > 0) {
                    break;
                }
                sent++;
                begin(free.poll(), dueNanos);
            }
            if (nowNanos - lookedNanos >= LOOK_FOR_HUNG_NANOS) {
                lookedNanos = nowNanos;
                endHung();
            }
            reopen();
            long untilNanos = ended || free.isEmpty() ? nowNanos + LOOK_FOR_HUNG_NANOS : dueNanos;
            long boundaryNanos = begun ? toNanos : fromNanos;
            receive(Math.min(untilNanos, ended ? untilNanos : boundaryNanos) - nowNanos);
        }
        long due = perSec == 0 ? sent : (long) ((toNanos - startNanos) / gapNanos);
        for (long number = sent; number < due; number++) {
            count.unsent(startNanos + (long) (number * gapNanos));
        }
        return count.figures();
    }

    private void receive(long limitNanos) throws IOException {
        if (limitNanos >= MS) {
            int ignored = selector.select(this::ready, Math.min(limitNanos, LOOK_FOR_HUNG_NANOS) / MS);
            return;
        }
        if (limitNanos > 0) {
            LockSupport.parkNanos(Math.min(limitNanos, SHORT_SLEEP_NANOS));
        }
        int ignored = selector.selectNow(this::ready);
    }

    private void begin(ClientConnection connection, long dueNanos) {
        waiting++;
        int number = ledger.begin(connection.client());
        try {
            connection.send(number, dueNanos, nowNanos);
        } catch (IOException e) {
            lost(connection);
        }
    }

    private void ready(SelectionKey key) {
        ClientConnection connection = (ClientConnection) key.attachment();
        try {
            if (key.isWritable()) {
                connection.write();
            }
            if (key.isReadable()) {
                ResponseReader response = connection.read(scratch);
                if (response != null) {
                    answered(connection, response);
                }
            }
        } catch (IOException e) {
            lost(connection);
        }
    }

    private void answered(ClientConnection connection, ResponseReader response) {
        nowNanos = System.nanoTime();
        boolean hasError = response.hasError();
        Outcome outcome = Outcome.of(response.status(), hasError);
        if (outcome != Outcome.WRITTEN && refusal.isEmpty()) {
            refusal = response.status() + " " + response.body();
        }
        end(connection, outcome, response.status());
        boolean closes = response.closes();
        response.next();
        if (closes) {
            connection.close();
            broken.add(connection);
        } else {
            free.add(connection);
        }
    }

    private void lost(ClientConnection connection) {
        nowNanos = System.nanoTime();
        if (connection.isWaiting()) {
            end(connection, Outcome.UNKNOWN, 0);
        } else {
            boolean ignored = free.remove(connection);
        }
        connection.close();
        broken.add(connection);
    }

    private void end(ClientConnection connection, Outcome outcome, int status) {
        waiting--;
        connection.ended();
        ledger.end(connection.client(), connection.number(), outcome);
        count.ended(outcome, status, connection.dueNanos(), connection.sentNanos(), nowNanos);
    }

    private void endHung() {
        long limitNanos = shape.timeoutMs() * MS + HUNG_AFTER_NANOS;
        for (ClientConnection connection : all) {
            if (connection.isWaiting() && nowNanos - connection.sentNanos() > limitNanos) {
                count.hung();
                lost(connection);
            }
        }
    }

    private void reopen() {
        if (broken.isEmpty() || nowNanos - reconnectAtNanos < 0) {
            return;
        }
        ClientConnection connection = broken.poll();
        try {
            connection.open();
            count.reconnected();
            free.add(connection);
        } catch (IOException e) {
            broken.add(connection);
            reconnectAtNanos = nowNanos + RECONNECT_NANOS;
        }
    }

    /** What the clients were told, to be compared with the topic. */
    Ledger ledger() {
        return ledger;
    }

    /** The first answer that was no 200, with its body. Empty if there was none. */
    String refusal() {
        return refusal;
    }

    @Override
    public void close() {
        all.forEach(ClientConnection::close);
        try {
            selector.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
