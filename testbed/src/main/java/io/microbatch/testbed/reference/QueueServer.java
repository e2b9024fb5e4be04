package io.microbatch.testbed.reference;

import java.io.Closeable;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Queues with acknowledgements, on a free port of 127.0.0.1. A message that was acknowledged is never delivered again;
 * one that was not is delivered again, in its place, to the next session. A queue has one session: a new one ends the
 * one before, and what the ended one still acknowledges is ignored. A session may also read a queue as a log, from a
 * message on and without acknowledgements. Lives in the process that starts it. Safe on any thread.
 */
public final class QueueServer implements Closeable {

    private static final String HOST = "127.0.0.1";

    private final ServerSocket listening;
    private final Map<String, StoredQueue> queues = new ConcurrentHashMap<>();

    private QueueServer(ServerSocket listening) {
        this.listening = listening;
    }

    /** Starts one. */
    public static QueueServer start() {
        try {
            QueueServer server = new QueueServer(new ServerSocket(0, 0, InetAddress.getByName(HOST)));
            startThread("queue-server", server::accept);
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What a task connects to, {@code 127.0.0.1:port}. */
    public String address() {
        return HOST + ":" + listening.getLocalPort();
    }

    /** Adds a message at the end of a queue, which is created by that. */
    public void put(String queue, String body) {
        queue(queue).put(body);
    }

    /** How many messages a queue was given. */
    public long size(String queue) {
        return queue(queue).size();
    }

    /** How many messages of a queue are acknowledged. */
    public long acknowledged(String queue) {
        return queue(queue).acknowledged();
    }

    private StoredQueue queue(String name) {
        return queues.computeIfAbsent(name, ignored -> new StoredQueue());
    }

    private void accept() {
        while (!listening.isClosed()) {
            try {
                Socket socket = listening.accept();
                startThread("queue-session", () -> serve(socket));
            } catch (IOException e) {
                // Closed; otherwise the next one may come through.
                continue;
            }
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            socket.setTcpNoDelay(true);
            DataInputStream in = new DataInputStream(new java.io.BufferedInputStream(socket.getInputStream()));
            StoredQueue queue = queue(in.readUTF());
            int prefetch = in.readInt();
            long from = in.readLong();
            StoredQueue.Session session = queue.open(socket, prefetch, from);
            startThread("queue-push", session::push);
            while (true) {
                boolean through = in.readBoolean();
                session.acknowledge(in.readLong(), through);
            }
        } catch (IOException e) {
            // The session is over: what it has not acknowledged is free again.
            return;
        }
    }

    private static void startThread(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() {
        try {
            listening.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        queues.values().forEach(StoredQueue::close);
    }
}
