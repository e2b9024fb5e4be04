package io.microbatch.testbed;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** One connection through the proxy, with one thread per direction. */
final class ProxiedConnection {

    private static final int CHUNK_BYTES = 16 * 1024;
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private final FaultProxy proxy;
    private final Socket client;
    private final Socket upstream;
    private volatile boolean closed;

    ProxiedConnection(FaultProxy proxy, Socket client, Socket upstream) {
        this.proxy = proxy;
        this.client = client;
        this.upstream = upstream;
    }

    /** Opens the streams here: a thread that finds its socket already half closed would end both directions. */
    void start() throws IOException {
        InputStream requests = client.getInputStream();
        OutputStream onward = upstream.getOutputStream();
        InputStream answers = upstream.getInputStream();
        OutputStream back = client.getOutputStream();
        KafkaFrames frames = proxy.frames();
        if (frames == null) {
            run("requests", () -> pump(requests, onward, false));
            run("answers", () -> pump(answers, back, true));
        } else {
            client.setTcpNoDelay(true);
            upstream.setTcpNoDelay(true);
            Thread writer = thread("answers-out", () -> untilItEnds(() -> frames.write(back)));
            writer.start();
            run("requests", () -> untilItEnds(() -> frames.pass(requests, onward)));
            run("answers", () -> {
                untilItEnds(() -> frames.read(answers));
                writer.interrupt();
            });
        }
    }

    private static void run(String direction, Runnable pump) {
        thread(direction, pump).start();
    }

    private static Thread thread(String direction, Runnable pump) {
        Thread thread = new Thread(pump, "fault-proxy-" + direction);
        thread.setDaemon(true);
        return thread;
    }

    /** Work on a stream that may fail. */
    private interface Stage {
        void run() throws IOException;
    }

    private void untilItEnds(Stage stage) {
        try {
            stage.run();
        } catch (IOException e) {
            // One side has closed or was cut off: both are closed below.
        } finally {
            close();
        }
    }

    private void pump(InputStream in, OutputStream out, boolean answers) {
        byte[] chunk = new byte[CHUNK_BYTES];
        try {
            for (int length = in.read(chunk); length >= 0; length = in.read(chunk)) {
                holdBack(answers);
                out.write(chunk, 0, length);
            }
        } catch (IOException e) {
            // One side has closed or was cut off: both are closed below.
        } finally {
            close();
        }
    }

    /** Blocks while the proxy passes nothing on. The bytes that were read stay in this thread. */
    private void holdBack(boolean answers) {
        if (proxy.mode() == FaultProxy.Mode.DELAY) {
            long untilNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(proxy.delayMs());
            while (!closed && System.nanoTime() - untilNanos < 0) {
                LockSupport.parkNanos(untilNanos - System.nanoTime());
            }
        }
        while (!closed && isHeld(answers)) {
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    private boolean isHeld(boolean answers) {
        FaultProxy.Mode mode = proxy.mode();
        return mode == FaultProxy.Mode.BLACK_HOLE || (answers && mode == FaultProxy.Mode.KEEP_ANSWERS);
    }

    void reset() {
        try {
            client.setSoLinger(true, 0);
            upstream.setSoLinger(true, 0);
        } catch (IOException e) {
            // The socket is already closed.
        }
        close();
    }

    void halfClose() {
        try {
            client.shutdownOutput();
        } catch (IOException e) {
            // The socket is already closed.
        }
    }

    void close() {
        closed = true;
        proxy.ended(this);
        closeQuietly(client);
        closeQuietly(upstream);
    }

    private static void closeQuietly(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // A socket that cannot be closed needs nothing else.
        }
    }
}
