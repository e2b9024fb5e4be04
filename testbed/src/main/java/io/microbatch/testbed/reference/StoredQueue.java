package io.microbatch.testbed.reference;

import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** One queue of the server: its messages and their acknowledgements. Its methods synchronize on it. */
final class StoredQueue {

    /** The value of {@code from} in a session that consumes the queue, instead of reading it as a log. */
    static final long AS_QUEUE = -1;

    private final List<String> messages = new ArrayList<>();
    private final BitSet acknowledged = new BitSet();
    private Session current;
    private boolean keptFull;

    /** With true, each acknowledgement appends a message {@code m} with its index, so that the queue has no end. */
    synchronized void keepFull(boolean full) {
        keptFull = full;
    }

    synchronized void put(String body) {
        messages.add(body);
        notifyAll();
    }

    synchronized long size() {
        return messages.size();
    }

    synchronized long acknowledged() {
        return acknowledged.cardinality();
    }

    /** Begins a session and ends the earlier one. */
    synchronized Session open(Socket socket, int prefetch, long from) throws IOException {
        close();
        current = new Session(socket, prefetch, from);
        return current;
    }

    synchronized void close() {
        if (current != null) {
            current.end();
            current = null;
            notifyAll();
        }
    }

    /** One connected consumer. */
    final class Session {

        private final Socket socket;
        private final DataOutputStream out;
        private final int prefetch;
        private final boolean asLog;
        private int next;
        private int unacknowledged;

        private Session(Socket socket, int prefetch, long from) throws IOException {
            this.socket = socket;
            this.out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
            this.prefetch = prefetch;
            this.asLog = from != AS_QUEUE;
            this.next = asLog ? Math.toIntExact(from) : 0;
        }

        /** Sends messages until the session ends. Runs on a thread of its own. */
        void push() {
            try {
                while (true) {
                    int id = awaitNext();
                    if (id < 0) {
                        return;
                    }
                    out.writeLong(id);
                    out.writeUTF(body(id));
                    if (!hasNext()) {
                        out.flush();
                    }
                }
            } catch (IOException e) {
                end();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        void acknowledge(long id, boolean through) {
            synchronized (StoredQueue.this) {
                if (this != current || asLog) {
                    return;
                }
                int before = acknowledged.cardinality();
                if (through) {
                    acknowledged.set(0, Math.toIntExact(id) + 1);
                } else {
                    acknowledged.set(Math.toIntExact(id));
                }
                int added = acknowledged.cardinality() - before;
                unacknowledged -= added;
                for (int i = 0; keptFull && i < added; i++) {
                    messages.add("m" + messages.size());
                }
                StoredQueue.this.notifyAll();
            }
        }

        private int awaitNext() throws InterruptedException {
            synchronized (StoredQueue.this) {
                while (this == current && !hasNext()) {
                    StoredQueue.this.wait();
                }
                if (this != current) {
                    return -1;
                }
                unacknowledged++;
                return next++;
            }
        }

        private boolean hasNext() {
            synchronized (StoredQueue.this) {
                if (!asLog) {
                    next = acknowledged.nextClearBit(next);
                }
                return next < messages.size() && (asLog || unacknowledged < prefetch);
            }
        }

        private String body(int id) {
            synchronized (StoredQueue.this) {
                return messages.get(id);
            }
        }

        private void end() {
            try {
                socket.close();
            } catch (IOException e) {
                // The socket is not used any more.
                return;
            }
        }
    }
}
