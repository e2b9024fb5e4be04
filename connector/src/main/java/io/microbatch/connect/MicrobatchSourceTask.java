package io.microbatch.connect;

import io.microbatch.connect.ack.AckSignals;
import io.microbatch.connect.ack.EventRecord;
import io.microbatch.connect.calibration.CalibrationRecorder;
import io.microbatch.connect.common.Version;
import io.microbatch.connect.config.MicrobatchConfig;
import io.microbatch.connect.metrics.Metric;
import io.microbatch.connect.metrics.MetricSink;
import io.microbatch.connect.metrics.TaskMetrics;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.connect.source.SourceRecord;
import org.apache.kafka.connect.source.SourceTask;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The task that Connect runs: lifecycle only. {@link TaskWiring} builds its parts. {@link TaskPipeline} does the work.
 *
 * <p>Threads: Connect calls start, poll and stop on the task thread. It calls commitRecord on the producer's thread in
 * at-least-once mode and on the task thread under exactly-once. It calls commit on the offset committer's or the task
 * thread. Both may follow stop, and Connect only logs their exceptions. Debezium's engine calls them on the thread that
 * polls, see {@link EmbeddedEngine}.
 */
public final class MicrobatchSourceTask extends SourceTask {

    private static final Logger log = LoggerFactory.getLogger(MicrobatchSourceTask.class);

    /** Connect gives a stopping task 5 s for its last batch, its last commit and this. */
    private static final long STOP_WITHIN_MS = 3_000;

    private volatile TaskPipeline pipeline;
    private CalibrationRecorder calibration;

    /** Whether the calibration thread is still to be started. Task thread. */
    private boolean calibrationDue;

    private TaskMetrics metrics;

    /** Null on a worker. */
    private volatile EngineBatch engineBatch;

    @Override
    public String version() {
        return Version.current();
    }

    @Override
    public void start(Map<String, String> taskConfig) {
        MicrobatchConfig config = new MicrobatchConfig(taskConfig);
        boolean embedded = EmbeddedEngine.runs(context);
        if (embedded) {
            EmbeddedEngine.check(config, taskConfig);
        }
        TaskName name = TaskName.of(taskConfig);
        TaskPipeline built = TaskWiring.build(config, taskConfig, context, name.text());
        calibration = CalibrationWiring.build(config, name, built);
        metrics = TaskMetrics.publish(context, name.connector(), name.number(), sink -> {
            built.addMetrics(sink);
            addSettings(config, taskConfig, sink);
        });
        // Assigned before its threads start, so that stop ends those that run if not all could start.
        pipeline = built;
        engineBatch = embedded ? new EngineBatch(built) : null;
        built.start();
        calibrationDue = config.calibration().enabled();
        log.info(
                "{} reads upstream '{}' in {} mode",
                name.text(),
                config.upstream().kind(),
                config.batch().mode());
    }

    /** What operators compare figures with. */
    private static void addSettings(MicrobatchConfig config, Map<String, String> taskConfig, MetricSink sink) {
        OptionalInt targetMs = config.batch().latencyTargetMs();
        double tasks = TaskName.tasks(taskConfig);
        sink.add(Metric.LATENCY_TARGET_MS, () -> targetMs.isPresent() ? targetMs.getAsInt() : Double.NaN);
        sink.add(Metric.CONNECTOR_TASKS, () -> tasks);
    }

    /** Delivery never depends on calibration. */
    private void startCalibration() {
        try {
            calibration.start();
        } catch (OutOfMemoryError e) {
            log.warn("The calibration thread could not be started. Nothing is learned until the task restarts", e);
        }
    }

    @Override
    public List<SourceRecord> poll() throws InterruptedException {
        // Before that there is nothing to learn, and an idle task does without the thread.
        if (calibrationDue && pipeline.delivery() != AckSignals.Delivery.UNKNOWN) {
            calibrationDue = false;
            startCalibration();
        }
        return engineBatch == null ? pipeline.poll() : engineBatch.poll();
    }

    @Override
    public void commitRecord(SourceRecord record, RecordMetadata metadata) {
        if (engineBatch != null) {
            engineBatch.processed(record);
        } else if (record instanceof EventRecord event) {
            pipeline.acknowledged(event, metadata);
        }
    }

    @Override
    public void commit() {
        TaskPipeline running = pipeline;
        // A connector that is paused when its worker starts gets a commit before its start.
        if (running != null) {
            if (engineBatch != null) {
                running.offsetsStored();
            } else {
                running.committed();
            }
        }
    }

    @Override
    public void stop() {
        TaskPipeline running = pipeline;
        // Connect also calls stop after a failed start.
        if (running != null) {
            // Both stop in parallel, because a disk and an upstream may hang at the same time.
            calibration.requestStop();
            try {
                running.stop(STOP_WITHIN_MS);
            } finally {
                calibration.close();
                metrics.close();
            }
        }
    }
}
