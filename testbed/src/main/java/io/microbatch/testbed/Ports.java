package io.microbatch.testbed;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;

/**
 * Free loopback ports.
 *
 * <p>The ports are below the range that systems use for outgoing connections (32768 on Linux, 49152 elsewhere). So no
 * client takes a free port before the server binds it.
 */
public final class Ports {

    static final String HOST = "127.0.0.1";

    private static final int FIRST = 20_000;
    private static final int LAST = 32_000;
    private static final int ATTEMPTS = 200;

    /** A server binds its port seconds after it was given: in between it looks free. */
    private static final Set<Integer> GIVEN = ConcurrentHashMap.newKeySet();

    private Ports() {}

    /** A port that nobody listens on at present, and that this process was not given before. */
    public static int free() {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            int port = ThreadLocalRandom.current().nextInt(FIRST, LAST);
            if (isFree(port) && GIVEN.add(port)) {
                return port;
            }
        }
        throw new IllegalStateException("no free port between " + FIRST + " and " + LAST + " on " + HOST);
    }

    /** The first of several ports next to each other that nobody listens on at present. */
    public static int free(int count) {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            int first = free();
            if (IntStream.range(first, first + count).allMatch(Ports::isFree)) {
                IntStream.range(first, first + count).forEach(GIVEN::add);
                return first;
            }
        }
        throw new IllegalStateException("no " + count + " free ports next to each other on " + HOST);
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(new InetSocketAddress(InetAddress.getByName(HOST), port));
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
