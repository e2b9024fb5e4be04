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
 * A TCP proxy on the loopback interface that causes network faults. A fault applies to all connections, old and new,
 * until the next call. Safe on any thread.
 */
public final class FaultProxy implements Closeable {

    private static final int BACKLOG = 64;

    /** How the proxy treats bytes. */
    public enum Mode {
        /** Passes bytes on. */
        PASS,
        /** Passes each chunk on after the delay. */
        DELAY,
        /** Passes nothing on and leaves connections open, like a firewall that drops packets. */
        BLACK_HOLE,
        /** Passes requests on and holds responses back: the server acts, and its client does not learn of it. */
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

    /** Listens. Refuses clients until {@link #forwardTo} is called. */
    public static FaultProxy listen() {
        return listen(false);
    }

    /**
     * A proxy before a Kafka broker that delays responses to Produce by {@link #delayProduce} and passes on everything
     * else immediately. Modes have no effect.
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

    /** Sets the port on 127.0.0.1 to which connections are forwarded. */
    public void forwardTo(int port) {
        target = new InetSocketAddress(Ports.HOST, port);
    }

    /** Sets how bytes are treated. {@link Mode#DELAY} uses {@link #delay}. */
    public void mode(Mode wanted) {
        mode = wanted;
    }

    /** Delays every chunk, in both directions. */
    public void delay(long ms) {
        delayMs = ms;
        mode = Mode.DELAY;
    }

    /** Delays each response to a Produce request, independently of other requests. */
    public void delayProduce(long ms) {
        produceDelayMs = ms;
    }

    /** Closes every connection with FIN, possibly in the middle of a message. New connections are accepted. */
    public void cut() {
        connections.forEach(ProxiedConnection::close);
    }

    /** Resets every connection (RST). New connections are accepted. */
    public void reset() {
        connections.forEach(ProxiedConnection::reset);
    }

    /** Closes the direction to the client of every connection and keeps the other direction. */
    public void halfClose() {
        connections.forEach(ProxiedConnection::halfClose);
    }

    /** The number of open connections. */
    public int connectionCount() {
        return connections.size();
    }

    Mode mode() {
        return mode;
    }

    long delayMs() {
        return delayMs;
    }

    /** The frames of a connection that speaks the Kafka protocol. Null for a connection of plain bytes. */
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
                // The listener or this client is closed. The condition of the loop distinguishes the two.
                continue;
            }
        }
    }

    private void serve(Socket client) throws IOException {
        Socket upstream = new Socket();
        try {
            upstream.connect(target, 1_000);
        } catch (IOException | RuntimeException e) {
            // As the server itself would refuse it.
            client.setSoLinger(true, 0);
            client.close();
            upstream.close();
            return;
        }
        ProxiedConnection connection = new ProxiedConnection(this, client, upstream);
        // Registered before it runs, so that faults reach it, and a connection that ends immediately removes itself.
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
