package io.microbatch.bench.http;

import io.microbatch.bench.http.Shape.Format;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A load under which the contenders take turns. Immutable.
 *
 * @param load how requests come
 * @param clients the number of connections
 * @param perSec requests per second, with {@link Load#RATE}
 * @param bytes the bytes of a record's value
 * @param records the records of a request
 * @param timeoutMs the timeout of a request
 */
record Cell(Load load, int clients, int perSec, int bytes, int records, int timeoutMs) {

    static final int USUAL_BYTES = 100;
    static final int USUAL_TIMEOUT_MS = 30_000;

    /** What the connector takes at once where it is to refuse some: half of what the clients can send. */
    private static final int BEYOND_INFLIGHT = 256;

    private static final double BEYOND = 1.5;
    private static final int KB = 1_024;

    /** How requests come. */
    enum Load {
        /** Each connection sends its next request when it has the answer. */
        CLOSED,
        /** At a rate. */
        RATE,
        /** At half of what the contender itself has carried in the closed loop of 256 connections. */
        HALF,
        /** At one and a half times as much, and with half as many requests allowed as there are connections. */
        BEYOND
    }

    /** The saturation that {@link Load#HALF} and {@link Load#BEYOND} are parts of. */
    static final Cell SATURATION = closed(256);

    /** Sixteen clients without a pause. */
    static final Cell SIXTEEN = closed(16);

    /** The rate of the latency goals. */
    static final Cell THOUSAND = rate(1_000, 256);

    /** The rate at which keys are measured. */
    static final Cell FIVE_THOUSAND = rate(5_000, 256);

    /** The goal of no answer that leaves it open. */
    static final Cell HALF = new Cell(Load.HALF, 256, 0, USUAL_BYTES, 1, 100);

    /** The goal of overload. */
    static final Cell BEYOND_SATURATION = new Cell(Load.BEYOND, 512, 0, USUAL_BYTES, 1, 1_000);

    static Cell closed(int clients) {
        return new Cell(Load.CLOSED, clients, 0, USUAL_BYTES, 1, USUAL_TIMEOUT_MS);
    }

    static Cell rate(int perSec, int clients) {
        return new Cell(Load.RATE, clients, perSec, USUAL_BYTES, 1, USUAL_TIMEOUT_MS);
    }

    private Cell of(int recordBytes, int requestRecords) {
        return new Cell(load, clients, perSec, recordBytes, requestRecords, timeoutMs);
    }

    private Cell within(int requestTimeoutMs) {
        return new Cell(load, clients, perSec, bytes, records, requestTimeoutMs);
    }

    /** Shows that it works. */
    static List<Cell> smoke() {
        return List.of(closed(16), new Cell(Load.RATE, 16, 100, 100, 10, 1_000));
    }

    /** The cells that have goals. */
    static List<Cell> quick() {
        return List.of(SATURATION, SIXTEEN, THOUSAND, HALF, BEYOND_SATURATION);
    }

    /** The cells that keys are measured in. */
    static List<Cell> keys() {
        return List.of(SATURATION, SIXTEEN, FIVE_THOUSAND);
    }

    /** The same, every rate with few and with many connections, the other sizes and timeouts. */
    static List<Cell> full() {
        List<Cell> cells = new ArrayList<>(quick());
        cells.addAll(List.of(
                SATURATION.of(KB, 1),
                SATURATION.of(USUAL_BYTES, 100),
                SATURATION.of(KB, 100),
                SIXTEEN.of(KB, 1),
                SIXTEEN.of(USUAL_BYTES, 100),
                rate(100, 16),
                rate(100, 256),
                rate(1_000, 16),
                FIVE_THOUSAND,
                rate(100, 16).of(USUAL_BYTES, 100),
                THOUSAND.within(100),
                THOUSAND.within(20)));
        return cells;
    }

    /** Every combination. A rate of 0 is a closed loop. */
    static List<Cell> every(
            List<Integer> clients,
            List<Integer> rates,
            List<Integer> bytes,
            List<Integer> records,
            List<Integer> timeoutsMs) {
        List<Cell> cells = new ArrayList<>();
        for (int rate : rates) {
            for (int connections : clients) {
                for (int size : bytes) {
                    for (int count : records) {
                        for (int timeout : timeoutsMs) {
                            Load load = rate == 0 ? Load.CLOSED : Load.RATE;
                            cells.add(new Cell(load, connections, rate, size, count, timeout));
                        }
                    }
                }
            }
        }
        return cells;
    }

    /** The same requests in a closed loop, to warm a contender up. */
    Cell warmUp() {
        return new Cell(Load.CLOSED, clients, 0, bytes, records, USUAL_TIMEOUT_MS);
    }

    /** As results spell it: the load, the connections, and what is not as usual. */
    String text() {
        String first = switch (load) {
            case CLOSED -> "closed";
            case RATE -> "rate-" + perSec;
            case HALF -> "half";
            case BEYOND -> "beyond";
        };
        return first + "-" + clients
                + (bytes == USUAL_BYTES ? "" : "-" + bytes + "b")
                + (records == 1 ? "" : "-" + records + "r")
                + (timeoutMs == USUAL_TIMEOUT_MS ? "" : "-" + timeoutMs + "ms");
    }

    /** Whether a contender has its turn: only this connector has the setting that overload needs. */
    boolean isFor(HttpContender contender) {
        return load != Load.BEYOND || contender.isOurs();
    }

    /** Whether the rate is a part of the contender's own saturation. */
    boolean needsSaturation() {
        return load == Load.HALF || load == Load.BEYOND;
    }

    /**
     * Requests per second, 0 in a closed loop.
     *
     * @param saturation what the contender has carried, in requests per second
     */
    double perSec(double saturation) {
        return switch (load) {
            case CLOSED -> 0;
            case RATE -> perSec;
            case HALF -> saturation / 2;
            case BEYOND -> saturation * BEYOND;
        };
    }

    /** What the connector gets in this cell beyond its settings. */
    Map<String, String> settings() {
        return load == Load.BEYOND
                ? Map.of("upstream.http.max.inflight.requests", Integer.toString(BEYOND_INFLIGHT))
                : Map.of();
    }

    Shape shape(Format format, boolean isKeyed) {
        return new Shape(format, bytes, records, timeoutMs, isKeyed);
    }
}
