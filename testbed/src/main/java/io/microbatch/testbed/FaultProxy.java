package io.microbatch.testbed;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A TCP proxy on the loopback interface that can do what networks do. What it does now applies to all connections, old
 * and new, until the next call. Safe on any thread.
 */
public final class FaultProxy implements Closeable {

    private static final int BACKLOG = 64;

    /** What the proxy does with bytes. */
    public enum Mode {
        /** Passes them on. */
        PASS,
        /** Passes them on, each chunk later by the delay. */
        DELAY,
        /** Takes nothing and answers nothing, and leaves connections open: a firewall that drops. */
        BLACK_HOLE,
        /** Passes requests on and keeps the answers: the other side acts, and its client does not learn of it. */
        KEEP_ANSWERS
    }

    private final ServerSocket server;
    private final Set<ProxiedConnection> connections = ConcurrentHashMap.newKeySet();
    private final ShutdownGuard.Registration registration;
    private volatile InetSocketAddress target;
    private volatile Mode mode = Mode.PASS;
    private volatile long delayMs;
    private volatile long produceDelayMs;
    private final boolean kafka;

    private FaultProxy(ServerSocket server, boolean kafka) {
        this.server = server;
        this.kafka = kafka;
        this.registration = ShutdownGuard.register(this::closeQuietly);
    }

    /** Listens. Clients that come before {@link #forwardTo} are turned away. */
    public static FaultProxy listen() {
        return listen(false);
    }

    /**
     * The same, in front of a Kafka broker that is slow to produce: it passes everything on, and answers to Produce
     * later by {@link #delayProduce}. The modes are of no effect.
     */
    public static FaultProxy listenForKafka() {
        return listen(true);
    }

    private static FaultProxy listen(boolean kafka) {
        try {
            ServerSocket server = new ServerSocket();
            server.setReuseAddress(true);
            server.bind(new InetSocketAddress(InetAddress.getByName(Ports.HOST), Ports.free()), BACKLOG);
            FaultProxy proxy = new FaultProxy(server, kafka);
            Thread thread = new Thread(proxy::accept, "fault-proxy-" + server.getLocalPort());
            thread.setDaemon(true);
            thread.start();
            return proxy;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The port on 127.0.0.1 that clients connect to. */
    public int port() {
        return server.getLocalPort();
    }

    /** {@code 127.0.0.1:port}. */
    public String address() {
        return Ports.HOST + ":" + port();
    }

    /** Sets the port on 127.0.0.1 that connections go on to. */
    public void forwardTo(int port) {
        target = new InetSocketAddress(Ports.HOST, port);
    }

    /** Sets what is done with bytes. {@link Mode#DELAY} by {@link #delay}. */
    public void mode(Mode wanted) {
        mode = wanted;
    }

    /** Delays every chunk, in both directions. */
    public void delay(long ms) {
        delayMs = ms;
        mode = Mode.DELAY;
    }

    /** Delays each answer to a Produce request, whatever else is under way. */
    public void delayProduce(long ms) {
        produceDelayMs = ms;
    }

    /** Closes every connection in the regular way, in the middle of whatever it carries. New ones are let in. */
    public void cut() {
        connections.forEach(ProxiedConnection::close);
    }

    /** Resets every connection (RST). New ones are let in. */
    public void reset() {
        connections.forEach(ProxiedConnection::reset);
    }

    /** Ends the direction to the client of every connection and leaves the other one open. */
    public void halfClose() {
        connections.forEach(ProxiedConnection::halfClose);
    }

    /** How many connections are open. */
    public int connectionCount() {
        return connections.size();
    }

    Mode mode() {
        return mode;
    }

    long delayMs() {
        return delayMs;
    }

    /** What takes part in a connection that speaks the Kafka protocol. Null for one of bytes. */
    KafkaFrames frames() {
        return kafka ? new KafkaFrames(() -> produceDelayMs) : null;
    }

    void ended(ProxiedConnection connection) {
        connections.remove(connection);
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                serve(server.accept());
            } catch (IOException e) {
                // The listener is closed, or this client has gone again: the loop's condition distinguishes them.
                continue;
            }
        }
    }

    private void serve(Socket client) throws IOException {
        Socket upstream = new Socket();
        try {
            upstream.connect(target, 1_000);
        } catch (IOException | RuntimeException e) {
            // As the server itself would have done it.
            client.setSoLinger(true, 0);
            client.close();
            upstream.close();
            return;
        }
        ProxiedConnection connection = new ProxiedConnection(this, client, upstream);
        // Before it runs: a fault that is inflicted now is to reach it, and one that ends at once takes itself out.
        connections.add(connection);
        try {
            connection.start();
        } catch (IOException e) {
            connection.close();
        }
    }

    private void closeQuietly() {
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        cut();
    }

    @Override
    public void close() {
        closeQuietly();
        registration.close();
    }
}
