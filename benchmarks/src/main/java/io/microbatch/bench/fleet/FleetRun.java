package io.microbatch.bench.fleet;

import io.microbatch.bench.load.CpuClock;
import io.microbatch.bench.load.Delivery;
import io.microbatch.bench.load.LoadStack;
import io.microbatch.testbed.Await;
import io.microbatch.testbed.ConnectWorker;
import io.microbatch.testbed.ConnectorStatus;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** Runs fleets on one exactly-once worker, one after the other. Used by one thread. */
final class FleetRun {

    private static final String TASKS = "kafka.connect:type=connector-task-metrics,*";

    /** How long the last events may take after they were due. */
    private static final long END_LIMIT_MS = 20_000;

    private static final Duration STOP_LIMIT = Duration.ofSeconds(120);

    private final LoadStack stack;
    private final ConnectWorker worker;
    private double emptyCores;

    /** Starts the worker. */
    FleetRun(LoadStack stack) {
        this.stack = stack;
        this.worker = stack.worker(Delivery.EXACTLY_ONCE);
    }

    /** Measures the CPU of the worker without connectors for this time, in processors. Later turns subtract it. */
    double measureEmpty(int seconds) {
        Cpu cpu = new Cpu();
        boolean ignored = Await.reached(Duration.ofSeconds(seconds), () -> false);
        emptyCores = cpu.workerCores();
        return emptyCores;
    }

    /** Creates all connectors of a contender, lets them produce, checks every event, and deletes the connectors. */
    FleetResult run(FleetContender contender, FleetPlan plan) {
        String prefix = "fleet-" + Long.toString(System.currentTimeMillis(), 36) + "-" + contender.key() + "-";
        List<Integer> rates = plan.rates();
        WorkerSize empty = WorkerSize.of(worker);
        long beganMs = System.currentTimeMillis();
        long startMs = beganMs + plan.startDelayMs();
        long fromMs = startMs + plan.warmUpSeconds() * 1_000L;
        long toMs = fromMs + plan.seconds() * 1_000L;
        Map<String, FleetStream> streams = new LinkedHashMap<>();
        for (int number = 0; number < rates.size(); number++) {
            streams.put(
                    prefix + number,
                    new FleetStream(plan.events(rates.get(number)), fromMs * 1_000_000, toMs * 1_000_000));
        }
        List<String> names = List.copyOf(streams.keySet());
        stack.topics().create(names, 1);
        try (FleetReader reader = new FleetReader(stack.bootstrapServers(), streams)) {
            Map<FleetFigure, Double> figures = new EnumMap<>(FleetFigure.class);
            String calibration = stack.calibration() + "/" + prefix + "all";
            for (int number = 0; number < rates.size(); number++) {
                int rate = rates.get(number);
                worker.rest()
                        .create(
                                names.get(number),
                                contender.config(names.get(number), rate, plan.events(rate), startMs, calibration));
            }
            awaitTasks(names.size());
            figures.put(FleetFigure.START_S, (System.currentTimeMillis() - beganMs) / 1e3);
            String problem = measureIdle(empty, reader, plan, startMs, figures);
            if (problem.isEmpty()) {
                reader.pollUntil(fromMs);
                Cpu cpu = new Cpu();
                reader.pollUntil(toMs);
                cpu.put(figures);
                problem = end(reader, names, toMs);
                figures.put(FleetFigure.HEAP_KB_PER_TASK, heapKb(empty, WorkerSize.of(worker), names.size()));
            }
            names.forEach(worker.rest()::delete);
            awaitTasks(0);
            reader.drain();
            measure(reader, plan.seconds(), figures);
            return new FleetResult(reader.findings(), problem, figures);
        } finally {
            stack.topics().delete(names);
        }
    }

    private void awaitTasks(int count) {
        Await.until(
                count + " tasks run",
                STOP_LIMIT,
                () -> {
                    var states = worker.jmx().attributes(TASKS, "status").values();
                    return states.size() == count && Collections.frequency(states, "running") == count;
                },
                () -> worker.jmx().attributes(TASKS, "status").values() + "\n" + worker.logTail());
    }

    /** What all tasks cost before their first events. Returns why it could not be measured, or an empty text. */
    private String measureIdle(
            WorkerSize empty, FleetReader reader, FleetPlan plan, long startMs, Map<FleetFigure, Double> figures) {
        WorkerSize idle = WorkerSize.of(worker);
        int tasks = plan.connectors();
        figures.put(FleetFigure.THREADS_PER_TASK, (double) (idle.threads() - empty.threads()) / tasks);
        figures.put(FleetFigure.IDLE_HEAP_KB_PER_TASK, heapKb(empty, idle, tasks));
        long untilMs = System.currentTimeMillis() + plan.idleSeconds() * 1_000L;
        if (untilMs > startMs) {
            return "the connectors did not run in time for their first events";
        }
        // The last seconds before the events: the compilers are then done with what the start has made them do.
        reader.pollUntil(startMs - plan.idleSeconds() * 1_000L);
        Cpu cpu = new Cpu();
        reader.pollUntil(startMs);
        figures.put(FleetFigure.IDLE_CPU_MS_PER_S, (cpu.workerCores() - emptyCores) * 1e3 / tasks);
        return "";
    }

    private static double heapKb(WorkerSize empty, WorkerSize now, int tasks) {
        return (now.liveBytes() - empty.liveBytes()) / 1024.0 / tasks;
    }

    /** Reads to the end of all streams. Returns why there is none, or an empty text. */
    private String end(FleetReader reader, List<String> names, long toMs) {
        while (!reader.haveEnded() && System.currentTimeMillis() < toMs + END_LIMIT_MS) {
            reader.poll();
        }
        if (reader.haveEnded()) {
            return "";
        }
        return names.stream()
                .map(worker.rest()::status)
                .filter(ConnectorStatus::hasFailed)
                .findFirst()
                .map(status -> "failed: " + status.failure())
                .orElse("not at its end in time");
    }

    private static void measure(FleetReader reader, int seconds, Map<FleetFigure, Double> figures) {
        Histogram all = reader.micros();
        figures.put(FleetFigure.P50_MS, all.getValueAtPercentile(50) / 1e3);
        figures.put(FleetFigure.P95_MS, all.getValueAtPercentile(95) / 1e3);
        figures.put(FleetFigure.P99_MS, all.getValueAtPercentile(99) / 1e3);
        double worstMicros = reader.streams().stream()
                .mapToDouble(stream -> stream.micros().getValueAtPercentile(99))
                .max()
                .orElseThrow();
        figures.put(FleetFigure.WORST_P99_MS, worstMicros / 1e3);
        double transactions =
                reader.streams().stream().mapToLong(FleetStream::transactions).sum();
        figures.put(FleetFigure.TRANSACTIONS_PER_S, transactions / seconds);
        double millions = Math.max(1, all.getTotalCount()) / 1e6;
        if (figures.containsKey(FleetFigure.CPU_CORES)) {
            figures.put(FleetFigure.CPU_S_PER_MILLION, figures.get(FleetFigure.CPU_CORES) * seconds / millions);
        }
    }

    /** The CPU time of worker and broker since a moment. */
    private final class Cpu {

        private final long beganNanos = System.nanoTime();
        private final double workerSec = CpuClock.seconds(worker.pid());
        private final double brokerSec = brokerSeconds();

        private double brokerSeconds() {
            return stack.brokerPids().stream().mapToDouble(CpuClock::seconds).sum();
        }

        private double elapsedSec() {
            return (System.nanoTime() - beganNanos) / 1e9;
        }

        double workerCores() {
            return (CpuClock.seconds(worker.pid()) - workerSec) / elapsedSec();
        }

        void put(Map<FleetFigure, Double> figures) {
            double ofWorker = workerCores();
            double ofBroker = (brokerSeconds() - brokerSec) / elapsedSec();
            figures.put(FleetFigure.CPU_WORKER_CORES, ofWorker);
            figures.put(FleetFigure.CPU_BROKER_CORES, ofBroker);
            figures.put(FleetFigure.CPU_CORES, ofWorker + ofBroker);
        }
    }
}
