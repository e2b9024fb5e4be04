package io.microbatch.bench.load;

import com.fasterxml.jackson.databind.JsonNode;
import io.microbatch.bench.load.ThreadClock.Part;
import io.microbatch.bench.load.ThreadClock.ThreadTimes;
import io.microbatch.testbed.ConnectRest;
import io.microbatch.testbed.ConnectWorker;
import io.microbatch.testbed.ConnectorStatus;
import io.microbatch.testbed.Topics;
import io.microbatch.testbed.oracle.Findings;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * Carries out a {@link LoadSpec} on a stack, or on brokers and workers that run already: then without their processes'
 * CPU time and without the tasks' own observations. Used by one thread.
 */
public final class LoadRun {

    private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(2);
    /** After this silence nothing comes any more of a stream that may have lost its end. */
    private static final long SILENCE_NANOS = TimeUnit.SECONDS.toNanos(15);

    private static final long DISTURBANCE_LIMIT_SECONDS = 120;

    /** Null for a cluster that runs already. */
    private final LoadStack stack;

    private final Topics topics;
    private final ConnectRest cluster;
    private final String calibration;
    private final PrintWriter out;

    /** On this stack. Progress goes to the writer. */
    public LoadRun(LoadStack stack, PrintWriter out) {
        this(stack, stack.topics(), null, stack.calibration().toString(), out);
    }

    private LoadRun(LoadStack stack, Topics topics, ConnectRest cluster, String calibration, PrintWriter out) {
        this.stack = stack;
        this.topics = topics;
        this.cluster = cluster;
        this.calibration = calibration;
        this.out = out;
    }

    /**
     * On a cluster that runs already, through one of its workers.
     *
     * @param calibration where the workers may write
     */
    public static LoadRun onCluster(String bootstrapServers, URI worker, String calibration, PrintWriter out) {
        return new LoadRun(null, new Topics(bootstrapServers), ConnectRest.at(worker), calibration, out);
    }

    /** From the first event to the last, or to the limit. Leaves neither connector nor topic. */
    public LoadResult run(LoadSpec spec) {
        return run(spec, null);
    }

    /**
     * The same with a disturbance of the worker and the connector, which runs on a thread of its own when the measured
     * part has begun, and returns when the connector is running again. It may be null.
     */
    public LoadResult run(LoadSpec spec, BiConsumer<ConnectWorker, String> disturbance) {
        return runAnd(spec, disturbance, result -> result);
    }

    /**
     * The same, and then something with the topics that the run has filled, before they are deleted. Answers what that
     * answers.
     */
    public <T> T runAnd(LoadSpec spec, Function<LoadResult, T> then) {
        return runAnd(spec, null, then);
    }

    private <T> T runAnd(LoadSpec spec, BiConsumer<ConnectWorker, String> disturbance, Function<LoadResult, T> then) {
        create(spec.layout().names(spec.topic()), spec.layout().topicPartitions());
        try {
            return then.apply(fill(spec, disturbance));
        } finally {
            topics.delete(spec.layout().names(spec.topic()));
        }
    }

    private void create(List<String> names, int partitions) {
        if (stack == null) {
            topics.create(names, partitions);
        } else {
            stack.create(names, partitions);
        }
    }

    private LoadResult fill(LoadSpec spec, BiConsumer<ConnectWorker, String> disturbance) {
        ConnectWorker worker = stack == null ? null : stack.worker(spec.delivery());
        ConnectRest rest = stack == null ? cluster : worker.rest();
        String directory = stack == null ? calibration : calibration + "/" + spec.connector();
        try (Readers readers = new Readers(topics.bootstrapServers(), spec)) {
            readers.first().creating(System.currentTimeMillis());
            rest.create(spec.connector(), spec.connectorConfig(directory));
            Cpu cpu = stack == null ? null : new Cpu(worker, spec.connector(), stack.brokerPids());
            String problem = follow(spec, worker, rest, readers, cpu, disturbance);
            if (cpu != null) {
                cpu.end();
            }
            double workerSec = cpu == null ? Double.NaN : cpu.workerSeconds();
            double brokerSec = cpu == null ? Double.NaN : cpu.brokerSeconds();
            Map<Part, Double> secByPart = cpu == null ? new EnumMap<>(Part.class) : cpu.workerSecondsByPart();
            // Only a task that has stopped has closed its calibration file.
            rest.stop(spec.connector());
            rest.awaitState(spec.connector(), "STOPPED");
            if (problem.isEmpty() && (stack == null || !readers.haveEnded())) {
                problem = unfinished(spec, rest.offsets(spec.connector()));
            }
            boolean late = problem.equals(late(spec));
            long committed = late ? committed(rest.offsets(spec.connector())) : 0;
            rest.resetOffsets(spec.connector());
            rest.delete(spec.connector());
            List<Reading> readings = readers.stop();
            double millions = Math.max(1, readers.first().measured()) / 1e6;
            secByPart.replaceAll((part, sec) -> sec / millions);
            long warmMs = readers.first().warmEpochMs();
            Windows windows = stack == null ? new Windows(List.of()) : Windows.read(Path.of(directory));
            LoadResult result = new LoadResult(
                    spec.promise(),
                    readings,
                    windows.where(window -> window.endEpochMs() - window.windowMs() >= warmMs),
                    workerSec / millions,
                    brokerSec / millions,
                    secByPart,
                    problem,
                    late
                            && readings.stream()
                                    .allMatch(reading ->
                                            isReadTo(spec.delivery(), spec.promise(), committed, reading.findings())));
            result.printIfNotVerified(spec, out);
            return result;
        }
    }

    /** Why it did not come to its end. Empty if it did. */
    private static String follow(
            LoadSpec spec,
            ConnectWorker worker,
            ConnectRest rest,
            Readers readers,
            Cpu cpu,
            BiConsumer<ConnectWorker, String> disturbance) {
        long beganNanos = System.nanoTime();
        long lookedNanos = beganNanos;
        CompletableFuture<Void> disturbed = null;
        long calmSinceNanos = beganNanos;
        while (!readers.haveEnded() && !isSilent(spec, readers, calmSinceNanos)) {
            readers.poll();
            if (readers.first().measured() > 0) {
                if (cpu != null) {
                    cpu.begin();
                    if (readers.first().hasMeasuredAll()) {
                        cpu.end();
                    }
                }
                if (disturbance != null && disturbed == null) {
                    disturbed = CompletableFuture.runAsync(() -> disturbance.accept(worker, spec.connector()));
                }
            }
            long nowNanos = System.nanoTime();
            if (nowNanos - beganNanos >= TimeUnit.SECONDS.toNanos(spec.limitSeconds())) {
                return late(spec);
            }
            // A worker that is down has no status.
            boolean down = disturbed != null && !disturbed.isDone();
            if (down) {
                calmSinceNanos = nowNanos;
            }
            if (nowNanos - lookedNanos >= LOOK_NANOS && !down) {
                lookedNanos = nowNanos;
                ConnectorStatus status = rest.status(spec.connector());
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

    private static String late(LoadSpec spec) {
        return "not at its end within " + spec.limitSeconds() + " s";
    }

    /**
     * Whether a run that the limit ended shows everything that its source had committed by then, as promised: nothing
     * is missing but the tail, and none of the tail was committed. Under exactly-once nothing else may be there: it
     * would come again when the source goes on.
     */
    public static boolean isReadTo(Delivery delivery, Promise promise, long committed, Findings found) {
        long read = found.events() - found.lost();
        return found.lost() == found.lostTail()
                && (delivery == Delivery.EXACTLY_ONCE ? read == committed : read >= committed)
                && (promise.mayRepeat() || found.duplicated() == 0)
                && found.reordered() == 0
                && found.foreign() == 0;
    }

    /** How far the source is by its committed offsets, in events. */
    public static long committed(JsonNode offsets) {
        long events = 0;
        for (JsonNode each : offsets.path("offsets")) {
            events += each.path("offset").path("events").asLong();
        }
        return events;
    }

    /** Only what the source has passed is lost. A source that is not at its end hangs. */
    static String unfinished(LoadSpec spec, JsonNode committed) {
        long events = committed(committed);
        return events == spec.events() ? "" : "silent when the source was at " + events + " of " + spec.events();
    }

    private static String await(CompletableFuture<Void> disturbed) {
        try {
            Void ignored = disturbed.get(DISTURBANCE_LIMIT_SECONDS, TimeUnit.SECONDS);
            return "";
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("the disturbance of the run did not come to its end", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** The processors' time of the measured part. */
    private static final class Cpu {

        private final ConnectWorker worker;
        private final String connector;
        private final List<Long> brokers;
        private boolean begun;
        private boolean ended;
        private long workerPid;
        private double workerAtBegin;
        private double brokersAtBegin;
        private ThreadTimes threadsAtBegin;
        private Map<Part, Double> workerSecondsByPart = new EnumMap<>(Part.class);
        private double workerSeconds = Double.NaN;
        private double brokerSeconds = Double.NaN;

        Cpu(ConnectWorker worker, String connector, List<Long> brokers) {
            this.worker = worker;
            this.connector = connector;
            this.brokers = brokers;
        }

        void begin() {
            if (!begun) {
                begun = true;
                workerPid = worker.pid();
                workerAtBegin = CpuClock.seconds(workerPid);
                threadsAtBegin = ThreadClock.read(workerPid, connector);
                brokersAtBegin = ofBrokers();
            }
        }

        void end() {
            if (begun && !ended) {
                ended = true;
                if (worker.pid() == workerPid) {
                    workerSeconds = CpuClock.seconds(workerPid) - workerAtBegin;
                    workerSecondsByPart = ThreadClock.read(workerPid, connector).since(threadsAtBegin);
                }
                brokerSeconds = ofBrokers() - brokersAtBegin;
            }
        }

        private double ofBrokers() {
            return brokers.stream().mapToDouble(CpuClock::seconds).sum();
        }

        double workerSeconds() {
            return workerSeconds;
        }

        Map<Part, Double> workerSecondsByPart() {
            return workerSecondsByPart;
        }

        double brokerSeconds() {
            return brokerSeconds;
        }
    }
}
