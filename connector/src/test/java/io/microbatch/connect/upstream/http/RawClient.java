package io.microbatch.connect.upstream.http;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import javax.net.SocketFactory;
import javax.net.ssl.SSLSocket;

/** A client that sends bytes as they are. One thread. */
public final class RawClient implements AutoCloseable {

    private static final int PATIENCE_MS = 30_000;

    private final Socket socket;
    private final InputStream in;

    /** Connects to a port of this machine. */
    public RawClient(int port) {
        this(SocketFactory.getDefault(), port);
    }

    /** Connects to a port of this machine with a socket of this kind. */
    RawClient(SocketFactory sockets, int port) {
        try {
            socket = sockets.createSocket(InetAddress.getLoopbackAddress(), port);
            if (socket instanceof SSLSocket tls) {
                tls.startHandshake();
            }
            socket.setSoTimeout(PATIENCE_MS);
            socket.setTcpNoDelay(true);
            in = new BufferedInputStream(socket.getInputStream());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A response. The names of fields are in lower case. */
    public record Response(int status, Map<String, String> fields, String body) {

        /** Whether the server says that it closes the connection. */
        public boolean closes() {
            return "close".equals(fields.get("connection"));
        }
    }

    /** Sends these characters, one byte each. */
    public void send(String text) {
        try {
            socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Sends an event, with further header fields. */
    void post(String value, String... fields) {
        StringBuilder request = new StringBuilder("POST /events/" + RunningServer.TOPIC + " HTTP/1.1\r\nHost: a\r\n");
        for (String field : fields) {
            request.append(field).append("\r\n");
        }
        send(request + "Content-Type: text/plain\r\nContent-Length: " + value.length() + "\r\n\r\n" + value);
    }

    /** The next response, also one of 1xx. */
    public Response response() {
        try {
            String statusLine = line();
            Map<String, String> fields = new TreeMap<>();
            for (String line = line(); !line.isEmpty(); line = line()) {
                int colon = line.indexOf(':');
                fields.put(
                        line.substring(0, colon).toLowerCase(Locale.ROOT),
                        line.substring(colon + 1).strip());
            }
            int status = Integer.parseInt(statusLine.substring(9, 12));
            int length = Integer.parseInt(fields.getOrDefault("content-length", "0"));
            return new Response(status, fields, new String(in.readNBytes(length), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String line() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int b = in.read(); b != '\n'; b = in.read()) {
            if (b < 0) {
                throw new EOFException("the server has closed the connection after: " + line);
            }
            line.write(b);
        }
        return line.toString(StandardCharsets.ISO_8859_1).strip();
    }

    /** Waits until the server closes the connection. Whether it sent nothing before that. */
    public boolean isClosed() {
        try {
            return in.read() < 0;
        } catch (java.net.SocketException e) {
            // A reset.
            return true;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
