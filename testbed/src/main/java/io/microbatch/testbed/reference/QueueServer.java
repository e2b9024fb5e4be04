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
 * A server of queues with acknowledgements, on a free port of 127.0.0.1. An acknowledged message is never delivered
 * again. Any other message is delivered again to the next session, in its place. A queue has one session: a new session
 * ends the earlier one, whose later acknowledgements are ignored. A session may also read a queue as a log, from a
 * given message and without acknowledgements. Runs in the process that starts it. Safe on any thread.
 */
public final class QueueServer implements Closeable {

    private static final String HOST = "127.0.0.1";

    private final ServerSocket listening;
    private final Map<String, StoredQueue> queues = new ConcurrentHashMap<>();

    private QueueServer(ServerSocket listening) {
        this.listening = listening;
    }

    /** Starts a server. */
    public static QueueServer start() {
        try {
            QueueServer server = new QueueServer(new ServerSocket(0, 0, InetAddress.getByName(HOST)));
            startThread("queue-server", server::accept);
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The address for tasks, {@code 127.0.0.1:port}. */
    public String address() {
        return HOST + ":" + listening.getLocalPort();
    }

    /** Appends a message to a queue. Creates the queue if necessary. */
    public void put(String queue, String body) {
        queue(queue).put(body);
    }

    /**
     * With {@code true}, each acknowledgement appends a message {@code m} with its index to the queue: a task does not
     * finish before {@code false}, however fast it is.
     */
    public void keepFull(String queue, boolean full) {
        queue(queue).keepFull(full);
    }

    /** The number of messages of a queue, acknowledged ones included. */
    public long size(String queue) {
        return queue(queue).size();
    }

    /** The number of acknowledged messages of a queue. */
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
                // The server is closed. Otherwise the next client may connect.
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
            // The session is over: its unacknowledged messages can be delivered again.
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
