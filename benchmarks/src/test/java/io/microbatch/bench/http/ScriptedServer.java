package io.microbatch.bench.http;

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntUnaryOperator;

/** A server on 127.0.0.1 that answers each request, by its number, with a status, not at all, or by hanging up. */
final class ScriptedServer implements Closeable {

    static final int SILENT = -1;
    static final int HANGS_UP = -2;

    private final ServerSocket listening;
    private final IntUnaryOperator script;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private final AtomicInteger requests = new AtomicInteger();

    private ScriptedServer(ServerSocket listening, IntUnaryOperator script) {
        this.listening = listening;
        this.script = script;
    }

    static ScriptedServer answering(IntUnaryOperator script) {
        try {
            ServerSocket listening = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
            ScriptedServer server = new ScriptedServer(listening, script);
            start(server::accept);
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void start(Runnable work) {
        Thread thread = new Thread(work, "scripted-server");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        while (!listening.isClosed()) {
            try {
                Socket socket = listening.accept();
                sockets.add(socket);
                start(() -> serve(socket));
            } catch (IOException e) {
                // Closed at the end of the test.
                continue;
            }
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            InputStream in = new BufferedInputStream(socket.getInputStream());
            while (readRequest(in)) {
                int status = script.applyAsInt(requests.getAndIncrement());
                if (status == HANGS_UP) {
                    return;
                }
                if (status != SILENT) {
                    String body = status == 200 ? "{}" : "{\"error_code\":" + status + "}";
                    String head = "HTTP/1.1 " + status + " x\r\nContent-Length: " + body.length() + "\r\n\r\n";
                    socket.getOutputStream().write((head + body).getBytes(StandardCharsets.US_ASCII));
                }
            }
        } catch (IOException e) {
            // The client is gone.
            return;
        }
    }

    private static boolean readRequest(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = in.read();
            if (next < 0) {
                return false;
            }
            head.append((char) next);
        }
        String header = "Content-Length: ";
        int at = head.indexOf(header) + header.length();
        int length = Integer.parseInt(head.substring(at, head.indexOf("\r", at)));
        return in.readNBytes(length).length == length;
    }

    URI uri() {
        return URI.create("http://127.0.0.1:" + listening.getLocalPort());
    }

    int requests() {
        return requests.get();
    }

    int connections() {
        return sockets.size();
    }

    @Override
    public void close() {
        try {
            listening.close();
            for (Socket socket : sockets) {
                socket.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
