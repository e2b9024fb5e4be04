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

    static final int FIRST = 20_000;
    static final int LAST = 32_000;

    /** Processes of tests that Maven runs at the same time, at most. */
    private static final int SHARES = 4;

    private static final int ATTEMPTS = 200;

    private static final Range RANGE = Range.of(System.getProperty("testbed.fork", ""));

    /** A server binds its port seconds after it was given: in between it looks free. */
    private static final Set<Integer> GIVEN = ConcurrentHashMap.newKeySet();

    /**
     * The ports of a process.
     *
     * @param first the first one
     * @param end the one behind the last
     */
    record Range(int first, int end) {

        /** A share of the ports for the process of tests with this number, from 1 on. All of them without a number. */
        static Range of(String fork) {
            if (!fork.matches("\\d+")) {
                return new Range(FIRST, LAST);
            }
            int share = (LAST - FIRST) / SHARES;
            int first = FIRST + Math.floorMod(Integer.parseInt(fork) - 1, SHARES) * share;
            return new Range(first, first + share);
        }
    }

    private Ports() {}

    /** A port that nobody listens on at present, and that this process was not given before. */
    public static int free() {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            int port = ThreadLocalRandom.current().nextInt(RANGE.first(), RANGE.end());
            if (isFree(port) && GIVEN.add(port)) {
                return port;
            }
        }
        throw new IllegalStateException("no free port of " + RANGE + " on " + HOST);
    }

    /** The first of several ports next to each other that nobody listens on at present. */
    public static int free(int count) {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            int first = free();
            if (first + count <= RANGE.end()
                    && IntStream.range(first + 1, first + count).noneMatch(GIVEN::contains)
                    && IntStream.range(first, first + count).allMatch(Ports::isFree)) {
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
