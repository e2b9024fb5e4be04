package io.microbatch.testbed.reference;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.util.Collection;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.connect.errors.ConnectException;

/**
 * A session with one queue. A thread of its own receives messages into a buffer, whose size is the limit of
 * unacknowledged messages. One thread takes messages, any thread acknowledges them.
 */
final class QueueClient implements Closeable {

    /** A message and its place in the queue, from 0. */
    record Message(long id, String body) {}

    private static final Message ENDED = new Message(-1, "");
    private static final int ADDRESS_PARTS = 2;

    private final Socket socket;
    private final DataOutputStream out;
    private final BlockingQueue<Message> received;
    private final Thread receiver;

    /** Connects. {@code from} is the first message of a log, or {@link StoredQueue#AS_QUEUE}. */
    QueueClient(String address, String queue, int prefetch, long from) {
        String[] parts = address.split(":", ADDRESS_PARTS);
        try {
            socket = new Socket(parts[0], Integer.parseInt(parts[1]));
            socket.setTcpNoDelay(true);
            out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
            out.writeUTF(queue);
            out.writeInt(prefetch);
            out.writeLong(from);
            out.flush();
        } catch (IOException e) {
            throw new ConnectException("The queue server at " + address + " does not respond", e);
        }
        // One more place for the end marker.
        received = new LinkedBlockingQueue<>(prefetch + 1);
        receiver = new Thread(this::receive, "queue-receive-" + queue);
        receiver.setDaemon(true);
        receiver.start();
    }

    private void receive() {
        try {
            receiveAll();
            received.put(ENDED);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void receiveAll() throws InterruptedException {
        try {
            DataInputStream in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
            while (true) {
                received.put(new Message(in.readLong(), in.readUTF()));
            }
        } catch (IOException e) {
            // The session is over. The thread that takes messages is notified.
            return;
        }
    }

    /** Waits for the next message without limit. */
    Message take() throws InterruptedException {
        return open(received.take());
    }

    /** The next message, or null if none arrives in time. */
    Message poll(long waitMs) throws InterruptedException {
        return open(received.poll(waitMs, TimeUnit.MILLISECONDS));
    }

    /** Adds available messages, up to this number. */
    void drainTo(Collection<Message> messages, int max) {
        received.drainTo(messages, max);
        if (messages.remove(ENDED)) {
            boolean ignored = received.offer(ENDED);
        }
    }

    private Message open(Message message) {
        if (ENDED.equals(message)) {
            boolean ignored = received.offer(ENDED);
            throw new ConnectException("The session with the queue has ended");
        }
        return message;
    }

    /** Acknowledges one message. */
    void acknowledge(long id) {
        send(id, false);
    }

    /** Acknowledges all messages of the session up to this one. */
    void acknowledgeThrough(long id) {
        send(id, true);
    }

    private void send(long id, boolean through) {
        synchronized (out) {
            try {
                out.writeBoolean(through);
                out.writeLong(id);
                out.flush();
            } catch (IOException e) {
                throw new ConnectException("The session with the queue has ended", e);
            }
        }
    }

    @Override
    public void close() {
        receiver.interrupt();
        try {
            socket.close();
        } catch (IOException e) {
            throw new ConnectException(e);
        }
        boolean ignored = received.offer(ENDED);
    }
}
