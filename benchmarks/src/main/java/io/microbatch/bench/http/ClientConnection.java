package io.microbatch.bench.http;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;

/** One client's connection, with one request at a time. One thread. */
final class ClientConnection {

    private static final int CONNECT_LIMIT_MS = 2_000;

    private final int client;
    private final InetSocketAddress server;
    private final Selector selector;
    private final RequestBytes requests;
    private ResponseReader response = new ResponseReader();
    private SocketChannel channel;
    private SelectionKey key;
    private ByteBuffer unsent;
    private int number;
    private long dueNanos;
    private long sentNanos;
    private boolean isWaiting;

    ClientConnection(int client, URI server, Selector selector, RequestBytes requests) {
        this.client = client;
        this.server = new InetSocketAddress(server.getHost(), server.getPort());
        this.selector = selector;
        this.requests = requests;
    }

    /** Connects, or connects again. */
    void open() throws IOException {
        close();
        response = new ResponseReader();
        channel = SocketChannel.open();
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.socket().connect(server, CONNECT_LIMIT_MS);
        channel.configureBlocking(false);
        key = channel.register(selector, SelectionKey.OP_READ, this);
    }

    /** Sends a request, as far as the socket takes it. */
    void send(int requestNumber, long requestDueNanos, long nowNanos) throws IOException {
        number = requestNumber;
        dueNanos = requestDueNanos;
        sentNanos = nowNanos;
        isWaiting = true;
        unsent = requests.request(requestNumber);
        write();
    }

    /** Sends more of the request that was begun. */
    void write() throws IOException {
        int ignored = channel.write(unsent);
        int wanted = unsent.hasRemaining() ? SelectionKey.OP_READ | SelectionKey.OP_WRITE : SelectionKey.OP_READ;
        if (key.interestOps() != wanted) {
            key.interestOps(wanted);
        }
    }

    /**
     * Reads what has come. Returns the complete response, or null.
     *
     * @throws IOException if the server has closed the connection, or has sent what is no response
     */
    ResponseReader read(ByteBuffer scratch) throws IOException {
        scratch.clear();
        if (channel.read(scratch) < 0) {
            throw new IOException("closed by the server");
        }
        try {
            return response.take(scratch.flip()) ? response : null;
        } catch (ResponseReader.MalformedException e) {
            throw new IOException(e);
        }
    }

    /** The request has ended. */
    void ended() {
        isWaiting = false;
    }

    /** Whether a request is on its way. */
    boolean isWaiting() {
        return isWaiting;
    }

    int client() {
        return client;
    }

    /** Of the last request, within the client. */
    int number() {
        return number;
    }

    /** When the last request was to be sent. */
    long dueNanos() {
        return dueNanos;
    }

    /** When the last request was sent. */
    long sentNanos() {
        return sentNanos;
    }

    void close() {
        try {
            if (channel != null) {
                channel.close();
            }
        } catch (IOException e) {
            // It is of no use any more in any case.
            channel = null;
        }
    }
}
