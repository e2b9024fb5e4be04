package io.microbatch.bench.http;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One turn of a contender in a cell.
 *
 * @param verified whether every answer was true
 * @param problem why the turn did not come to its end; empty if it did
 * @param found what the comparison with the topic found; null with a problem
 * @param load what the clients saw; null with a problem
 * @param perSec requests per second that are to be carried; 0 in a closed loop and beyond saturation
 * @param records the records of a request
 * @param serverCpuSec CPU of the contender's process and the brokers in the measured part, in seconds; not a number
 *     where the process is not known
 * @param clientCpuSec CPU of the clients in that part
 */
record HttpTurn(
        boolean verified,
        String problem,
        TopicCheck.Found found,
        LoadFigures load,
        double perSec,
        int records,
        double serverCpuSec,
        double clientCpuSec) {

    /** What part of the rate has to be answered with 200 for it to be carried. */
    private static final double CARRIED = 0.95;

    static HttpTurn failed(String problem) {
        return new HttpTurn(false, problem, null, null, 0, 0, Double.NaN, Double.NaN);
    }

    /** Whether requests were answered as fast as they were due. */
    boolean isCarried() {
        return perSec == 0 || load.answeredInTime() >= CARRIED * perSec * load.seconds();
    }

    /** Records per second of requests that were answered with 200. */
    double recordsPerSec() {
        return requestsPerSec() * records;
    }

    double requestsPerSec() {
        return load.answeredInTime() / load.seconds();
    }

    /** From when a request was due, in milliseconds. Without end where the rate is not carried. */
    double latencyMs(double percentile) {
        return isCarried() ? LoadFigures.percentileMs(load.micros(), percentile) : Double.POSITIVE_INFINITY;
    }

    /** From when a request was sent, in milliseconds. */
    double sentLatencyMs(double percentile) {
        return LoadFigures.percentileMs(load.sentMicros(), percentile);
    }

    /** CPU seconds of the contender and the brokers per million records. */
    double cpuSecPerMillion() {
        return perMillion(serverCpuSec);
    }

    /** The same of the clients. */
    double clientCpuSecPerMillion() {
        return perMillion(clientCpuSec);
    }

    private double perMillion(double seconds) {
        return load.answeredInTime() == 0 ? Double.NaN : seconds * 1e6 / (load.answeredInTime() * (double) records);
    }

    /** Requests of the measured part with this status. */
    long status(int status) {
        return load.statuses().getOrDefault(status, 0L);
    }

    Map<String, Object> toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("verified", verified);
        if (load == null) {
            json.put("problem", problem);
            return json;
        }
        json.put("found", found.toJson());
        json.put("carried", isCarried());
        json.put("per_s", number(recordsPerSec()));
        json.put("p50_ms", number(latencyMs(50)));
        json.put("p95_ms", number(latencyMs(95)));
        json.put("p99_ms", number(latencyMs(99)));
        json.put("p99_sent_ms", number(sentLatencyMs(99)));
        json.put("cpu_s_per_million", number(cpuSecPerMillion()));
        json.put("cpu_client_s_per_million", number(clientCpuSecPerMillion()));
        json.put("answered", load.answered());
        json.put("refused", load.refused());
        json.put("unknown", load.unknown());
        json.put("unsent", load.unsent());
        json.put("hung", load.hung());
        json.put("reconnects", load.reconnects());
        Map<String, Long> statuses = new LinkedHashMap<>();
        load.statuses().forEach((status, times) -> statuses.put(status == 0 ? "none" : status.toString(), times));
        json.put("statuses", statuses);
        return json;
    }

    /** JSON has neither NaN nor infinity. */
    static Double number(double value) {
        return Double.isFinite(value) ? (Double) value : null;
    }
}
