package io.microbatch.bench.http;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Connections that keep a server busy for nothing: silent ones, heads and bodies of a byte at a time, and requests
 * whose answers nobody reads. One that the server closes is opened again. None of them sends an event completely. A
 * thread of its own; {@link #begin} and {@link #close} belong to one other thread.
 */
final class SlowSockets implements AutoCloseable {

    private static final long STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final int CONNECT_LIMIT_MS = 2_000;
    private static final int READ_BYTES = 4_096;

    /** So that a server cannot write many answers ahead. */
    private static final int RECEIVE_BYTES = 4_096;

    private final InetSocketAddress server;
    private final String head;
    private final List<Slow> sockets = new ArrayList<>();
    private final Thread thread = new Thread(this::run, "slow-sockets");
    private final ByteBuffer scratch = ByteBuffer.allocate(READ_BYTES);
    private volatile boolean isClosed;

    /** What a connection sends at first, and then at each step. */
    private enum Kind {
        SILENT,
        HEAD,
        BODY,
        UNREAD
    }

    /** One connection. */
    private static final class Slow {
        private final Kind kind;
        private SocketChannel channel;

        private Slow(Kind kind) {
            this.kind = kind;
        }
    }

    /** As many connections to a server that takes events for the topic. None is opened yet. */
    SlowSockets(URI server, String topic, int count) {
        this.server = new InetSocketAddress(server.getHost(), server.getPort());
        this.head = "POST /events/" + topic + " HTTP/1.1\r\nHost: " + server.getHost()
                + "\r\nContent-Type: text/plain\r\nContent-Length: 1000\r\n";
        for (int i = 0; i < count; i++) {
            sockets.add(new Slow(Kind.values()[i % Kind.values().length]));
        }
    }

    /** Opens all connections. */
    void begin() {
        if (!sockets.isEmpty()) {
            sockets.forEach(this::step);
            thread.setDaemon(true);
            thread.start();
        }
    }

    private void run() {
        while (!isClosed) {
            LockSupport.parkNanos(STEP_NANOS);
            sockets.forEach(this::step);
        }
    }

    private void step(Slow slow) {
        if (isClosed) {
            return;
        }
        try {
            if (slow.channel == null) {
                slow.channel = open();
                send(slow, first(slow.kind));
            } else if (slow.kind != Kind.UNREAD && hasEnded(slow.channel)) {
                end(slow);
            } else {
                send(slow, more(slow.kind));
            }
        } catch (IOException e) {
            end(slow);
        }
    }

    private SocketChannel open() throws IOException {
        SocketChannel channel = SocketChannel.open();
        try {
            channel.setOption(StandardSocketOptions.SO_RCVBUF, RECEIVE_BYTES);
            channel.socket().connect(server, CONNECT_LIMIT_MS);
            channel.configureBlocking(false);
            return channel;
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    private String first(Kind kind) {
        return switch (kind) {
            case SILENT -> "";
            case HEAD -> head + "X-Slow: ";
            case BODY -> head + "\r\n";
            case UNREAD -> unread();
        };
    }

    private String more(Kind kind) {
        return switch (kind) {
            case SILENT -> "";
            case HEAD, BODY -> "a";
            case UNREAD -> unread();
        };
    }

    private String unread() {
        return "GET /health/live HTTP/1.1\r\nHost: " + server.getHostString() + "\r\n\r\n";
    }

    /** As far as the socket takes it: a server that reads nothing is not waited for. */
    private static void send(Slow slow, String text) throws IOException {
        if (!text.isEmpty()) {
            int ignored = slow.channel.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)));
        }
    }

    private boolean hasEnded(SocketChannel channel) throws IOException {
        return channel.read(scratch.clear()) < 0;
    }

    private static void end(Slow slow) {
        try {
            if (slow.channel != null) {
                slow.channel.close();
            }
        } catch (IOException e) {
            // It is of no use any more in any case.
        } finally {
            slow.channel = null;
        }
    }

    @Override
    public void close() {
        isClosed = true;
        try {
            LockSupport.unpark(thread);
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        sockets.forEach(SlowSockets::end);
    }
}
