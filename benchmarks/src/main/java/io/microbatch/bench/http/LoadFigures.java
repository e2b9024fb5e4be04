package io.microbatch.bench.http;

import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * What the clients of a load saw.
 *
 * @param seconds the length of the measured part
 * @param answeredInTime requests that were answered with 200 within the measured part
 * @param answered requests of the measured part that were answered with 200
 * @param refused those of which the answer says that nothing was written
 * @param unknown those without an answer, or with one that leaves it open
 * @param unsent requests that were due before its end and not sent, because no connection was free
 * @param hung requests without any answer for longer than their timeout and a second
 * @param reconnects connections that were opened again
 * @param micros from when a request was due to its 200, of the measured part, or to its end where it was not sent
 * @param sentMicros the same from when it was sent
 * @param statuses how often each status came in the measured part; 0 is a connection that ended
 */
record LoadFigures(
        double seconds,
        long answeredInTime,
        long answered,
        long refused,
        long unknown,
        long unsent,
        long hung,
        long reconnects,
        Histogram micros,
        Histogram sentMicros,
        Map<Integer, Long> statuses) {

    /** A percentile of a latency, in milliseconds. Not a number without a 200. */
    static double percentileMs(Histogram latencies, double percent) {
        return latencies.getTotalCount() == 0 ? Double.NaN : latencies.getValueAtPercentile(percent) / 1e3;
    }
}
