package io.microbatch.bench.outbox;

import io.microbatch.bench.load.Delivery;
import io.microbatch.bench.load.Percentiles;
import io.microbatch.testbed.oracle.Findings;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What one turn of a contender showed. Latencies are from when a row was due to a read_committed consumer, in
 * milliseconds. A figure that was not measured is not a number.
 *
 * @param found what became of the rows
 * @param backlogRows rows of the backlog
 * @param backlogPerSec rows per second, of those that Kafka got after the first one had come
 * @param at50 latency at 50 rows/s
 * @param at1000 latency at 1,000 rows/s; without end where the rate is not carried
 * @param backlogCpu CPU of the backlog
 * @param cpu1000 CPU at 1,000 rows/s, that of the inserts among it
 */
record OutboxTurn(
        Findings found,
        int backlogRows,
        double backlogPerSec,
        Percentiles at50,
        Percentiles at1000,
        Cpu backlogCpu,
        Cpu cpu1000) {

    static final String BACKLOG = "backlog_per_s";
    static final String P50_50 = "p50_ms_50";
    static final String P99_50 = "p99_ms_50";
    static final String P50_1000 = "p50_ms_1000";
    static final String P99_1000 = "p99_ms_1000";
    static final String POSTGRES_CPU = "postgres_cpu_s_per_million";
    static final String CARRIER_CPU = "carrier_cpu_s_per_million";
    static final String BROKER_CPU = "broker_cpu_s_per_million";
    static final String POSTGRES_CPU_1000 = "postgres_cpu_s_per_million_1000";
    static final String CARRIER_CPU_1000 = "carrier_cpu_s_per_million_1000";

    /** CPU seconds of the database, of the contender's process, and of the broker. */
    record Cpu(double postgres, double carrier, double broker) {

        static final Cpu NONE = new Cpu(Double.NaN, Double.NaN, Double.NaN);

        Cpu since(Cpu before) {
            return new Cpu(postgres - before.postgres, carrier - before.carrier, broker - before.broker);
        }

        Cpu perMillion(int rows) {
            return new Cpu(postgres * 1e6 / rows, carrier * 1e6 / rows, broker * 1e6 / rows);
        }
    }

    /** The same with what became of the rows. */
    OutboxTurn with(Findings rows) {
        return new OutboxTurn(rows, backlogRows, backlogPerSec, at50, at1000, backlogCpu, cpu1000);
    }

    /**
     * Whether the rows arrived as the contender promises it: once or at least once, and in order unless several workers
     * share the table.
     */
    static boolean isVerified(OutboxContender contender, Findings found) {
        return found.events() > 0
                && found.lost() == 0
                && found.foreign() == 0
                && (contender.delivery() == Delivery.AT_LEAST_ONCE || found.duplicated() == 0)
                && (!contender.isOrdered() || found.reordered() == 0);
    }

    /** The figures by their keys in a result. */
    Map<String, Double> figures() {
        Map<String, Double> figures = new LinkedHashMap<>();
        figures.put(BACKLOG, backlogPerSec);
        at50.addTo(figures, 50);
        at1000.addTo(figures, 1_000);
        figures.put(POSTGRES_CPU, backlogCpu.postgres);
        figures.put(CARRIER_CPU, backlogCpu.carrier);
        figures.put(BROKER_CPU, backlogCpu.broker);
        figures.put(POSTGRES_CPU_1000, cpu1000.postgres);
        figures.put(CARRIER_CPU_1000, cpu1000.carrier);
        return figures;
    }
}
