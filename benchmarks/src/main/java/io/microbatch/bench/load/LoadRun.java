package io.microbatch.bench.load;

import io.microbatch.testbed.ConnectWorker;
import io.microbatch.testbed.ConnectorStatus;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Carries out a {@link LoadSpec} on a stack. Used by one thread. */
public final class LoadRun {

    private static final long POLL_MS = 100;
    private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final LoadStack stack;
    private final PrintWriter out;

    /** On this stack; progress goes to the writer. */
    public LoadRun(LoadStack stack, PrintWriter out) {
        this.stack = stack;
        this.out = out;
    }

    /** From the first event to the last, or to the limit. Leaves neither connector nor topic. */
    public LoadResult run(LoadSpec spec) {
        Path calibration = stack.calibration().resolve(spec.connector());
        ConnectWorker worker = stack.worker(spec.delivery());
        Map<String, String> config = spec.connectorConfig(calibration.toString());
        stack.createTopic(spec.topic());
        try (CheckingConsumer consumer =
                new CheckingConsumer(stack.bootstrapServers(), spec.topic(), spec.events(), spec.warmUpEvents())) {
            worker.rest().create(spec.connector(), config);
            Cpu cpu = new Cpu(worker.pid(), stack.brokerPids());
            String problem = follow(spec, worker, consumer, cpu);
            // A lost or doubled tail would come now.
            consumer.poll(POLL_MS);
            double workerSec = cpu.workerSeconds();
            double brokerSec = cpu.brokerSeconds();
            // Only a task that has stopped has closed its calibration file.
            worker.rest().stop(spec.connector());
            worker.rest().awaitState(spec.connector(), "STOPPED");
            worker.rest().resetOffsets(spec.connector());
            worker.rest().delete(spec.connector());
            consumer.poll(POLL_MS);
            double millions = Math.max(1, consumer.measured()) / 1e6;
            long warmMs = consumer.warmEpochMs();
            LoadResult result = new LoadResult(
                    consumer.check(),
                    consumer.perSec(),
                    consumer.perSecSinceDue(),
                    consumer.micros(),
                    consumer.timeline(),
                    Windows.read(calibration).where(window -> window.endEpochMs() - window.windowMs() >= warmMs),
                    workerSec / millions,
                    brokerSec / millions,
                    consumer.corrupt() > 0 ? consumer.corrupt() + " corrupt events" : problem);
            if (!result.isVerified()) {
                out.println("  " + spec.topic() + ": NOT VERIFIED: " + result.findings());
                out.flush();
            }
            return result;
        } finally {
            stack.deleteTopic(spec.topic());
        }
    }

    private static String follow(LoadSpec spec, ConnectWorker worker, CheckingConsumer consumer, Cpu cpu) {
        long beganNanos = System.nanoTime();
        long lookedNanos = beganNanos;
        while (!consumer.check().hasEnded()) {
            consumer.poll(POLL_MS);
            if (consumer.isWarm()) {
                cpu.begin();
            }
            long nowNanos = System.nanoTime();
            if (nowNanos - beganNanos >= TimeUnit.SECONDS.toNanos(spec.limitSeconds())) {
                return "not at its end within " + spec.limitSeconds() + " s";
            }
            if (nowNanos - lookedNanos >= LOOK_NANOS) {
                lookedNanos = nowNanos;
                ConnectorStatus status = worker.rest().status(spec.connector());
                if (status.hasFailed()) {
                    return "failed: " + status.failure();
                }
            }
        }
        return "";
    }

    /** The processors' time since the measured part began. */
    private static final class Cpu {
        private final long worker;
        private final List<Long> brokers;
        private boolean begun;
        private double workerAtBegin;
        private double brokersAtBegin;

        Cpu(long worker, List<Long> brokers) {
            this.worker = worker;
            this.brokers = brokers;
        }

        void begin() {
            if (!begun) {
                begun = true;
                workerAtBegin = CpuClock.seconds(worker);
                brokersAtBegin = ofBrokers();
            }
        }

        private double ofBrokers() {
            return brokers.stream().mapToDouble(CpuClock::seconds).sum();
        }

        double workerSeconds() {
            return CpuClock.seconds(worker) - workerAtBegin;
        }

        double brokerSeconds() {
            return ofBrokers() - brokersAtBegin;
        }
    }
}
