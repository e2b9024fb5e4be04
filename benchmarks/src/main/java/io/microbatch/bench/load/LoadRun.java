package io.microbatch.bench.load;

import com.fasterxml.jackson.databind.JsonNode;
import io.microbatch.testbed.ConnectWorker;
import io.microbatch.testbed.ConnectorStatus;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Carries out a {@link LoadSpec} on a stack. Used by one thread. */
public final class LoadRun {

    private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** After such a silence nothing comes any more of a stream that may have lost its end. */
    private static final long SILENCE_NANOS = TimeUnit.SECONDS.toNanos(15);

    private static final long DISTURBANCE_LIMIT_SECONDS = 120;

    private final LoadStack stack;
    private final PrintWriter out;

    /** On this stack; progress goes to the writer. */
    public LoadRun(LoadStack stack, PrintWriter out) {
        this.stack = stack;
        this.out = out;
    }

    /** From the first event to the last, or to the limit. Leaves neither connector nor topic. */
    public LoadResult run(LoadSpec spec) {
        return run(spec, null);
    }

    /** The same with a disturbance when the measured part has begun. */
    public LoadResult run(LoadSpec spec, Disturbance disturbance) {
        Path calibration = stack.calibration().resolve(spec.connector());
        ConnectWorker worker = stack.worker(spec.delivery());
        Map<String, String> config = spec.connectorConfig(calibration.toString());
        stack.topics().create(spec.layout().names(spec.topic()), spec.layout().topicPartitions());
        try (Readers readers = new Readers(stack.bootstrapServers(), spec)) {
            worker.rest().create(spec.connector(), config);
            Cpu cpu = new Cpu(worker, stack.brokerPids());
            String problem = follow(spec, worker, readers, cpu, disturbance);
            double workerSec = cpu.workerSeconds();
            double brokerSec = cpu.brokerSeconds();
            // Only a task that has stopped has closed its calibration file.
            worker.rest().stop(spec.connector());
            worker.rest().awaitState(spec.connector(), "STOPPED");
            if (problem.isEmpty() && !readers.haveEnded()) {
                problem = unfinished(spec, worker.rest().offsets(spec.connector()));
            }
            worker.rest().resetOffsets(spec.connector());
            worker.rest().delete(spec.connector());
            List<Reading> readings = readers.stop();
            long corrupt = readings.stream().mapToLong(Reading::corrupt).sum();
            double millions = Math.max(1, readers.first().measured()) / 1e6;
            long warmMs = readers.first().warmEpochMs();
            LoadResult result = new LoadResult(
                    spec.promise(),
                    readings,
                    Windows.read(calibration).where(window -> window.endEpochMs() - window.windowMs() >= warmMs),
                    workerSec / millions,
                    brokerSec / millions,
                    corrupt > 0 ? corrupt + " corrupt events" : problem);
            if (!result.isVerified()) {
                out.println("  " + spec.topic() + ": NOT VERIFIED: " + result.findings());
                out.flush();
            }
            return result;
        } finally {
            stack.topics().delete(spec.layout().names(spec.topic()));
        }
    }

    private static String follow(
            LoadSpec spec, ConnectWorker worker, Readers readers, Cpu cpu, Disturbance disturbance) {
        long beganNanos = System.nanoTime();
        long lookedNanos = beganNanos;
        CompletableFuture<Void> disturbed = null;
        long calmSinceNanos = beganNanos;
        while (!readers.haveEnded() && !isSilent(spec, readers, calmSinceNanos)) {
            readers.poll();
            if (readers.first().measured() > 0) {
                cpu.begin();
                if (disturbance != null && disturbed == null) {
                    disturbed = CompletableFuture.runAsync(() -> disturbance.disturb(worker, spec.connector()));
                }
            }
            long nowNanos = System.nanoTime();
            if (nowNanos - beganNanos >= TimeUnit.SECONDS.toNanos(spec.limitSeconds())) {
                return "not at its end within " + spec.limitSeconds() + " s";
            }
            // A worker that is down has no status.
            boolean down = disturbed != null && !disturbed.isDone();
            if (down) {
                calmSinceNanos = nowNanos;
            }
            if (nowNanos - lookedNanos >= LOOK_NANOS && !down) {
                lookedNanos = nowNanos;
                ConnectorStatus status = worker.rest().status(spec.connector());
                if (status.hasFailed()) {
                    return "failed: " + status.failure();
                }
            }
        }
        return disturbed == null ? "" : await(disturbed);
    }

    /** Nothing has come for long, and nothing that was done to the connector explains it. */
    private static boolean isSilent(LoadSpec spec, Readers readers, long calmSinceNanos) {
        long arrivedNanos = readers.first().arrivedEpochNanos();
        return spec.promise().mayLose()
                && arrivedNanos > 0
                && System.nanoTime() - calmSinceNanos > SILENCE_NANOS
                && System.currentTimeMillis() * 1_000_000 - arrivedNanos > SILENCE_NANOS;
    }

    /** Only what the source has left behind it is lost; a source that is not at its end hangs. */
    static String unfinished(LoadSpec spec, JsonNode committed) {
        long events = 0;
        for (JsonNode each : committed.path("offsets")) {
            events += each.path("offset").path("events").asLong();
        }
        return events == spec.events() ? "" : "silent when the source was at " + events + " of " + spec.events();
    }

    private static String await(CompletableFuture<Void> disturbed) {
        try {
            Void ignored = disturbed.get(DISTURBANCE_LIMIT_SECONDS, TimeUnit.SECONDS);
            return "";
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("what was to disturb the run did not come to its end", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** The processors' time since the measured part began. */
    private static final class Cpu {
        private final ConnectWorker worker;
        private final List<Long> brokers;
        private boolean begun;
        private long workerPid;
        private double workerAtBegin;
        private double brokersAtBegin;

        Cpu(ConnectWorker worker, List<Long> brokers) {
            this.worker = worker;
            this.brokers = brokers;
        }

        void begin() {
            if (!begun) {
                begun = true;
                workerPid = worker.pid();
                workerAtBegin = CpuClock.seconds(workerPid);
                brokersAtBegin = ofBrokers();
            }
        }

        private double ofBrokers() {
            return brokers.stream().mapToDouble(CpuClock::seconds).sum();
        }

        double workerSeconds() {
            return worker.pid() == workerPid ? CpuClock.seconds(workerPid) - workerAtBegin : Double.NaN;
        }

        double brokerSeconds() {
            return ofBrokers() - brokersAtBegin;
        }
    }
}
