package io.microbatch.connect;

import io.microbatch.connect.ack.AckSignals.Delivery;
import io.microbatch.connect.calibration.CalibrationKey;
import io.microbatch.connect.calibration.CalibrationRecorder;
import io.microbatch.connect.common.Version;
import io.microbatch.connect.config.CalibrationConfig;
import io.microbatch.connect.config.MicrobatchConfig;
import io.microbatch.connect.config.UpstreamConfig;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Locale;

/**
 * Starts and ends the calibration thread of a task. It begins when the first acknowledgement has shown how Connect
 * delivers, because what is learned in one delivery mode is wrong in the other. Task thread.
 */
final class CalibrationLoop implements AutoCloseable {

    private final CalibrationConfig settings;
    private final UpstreamConfig.Kind upstream;
    private final String learnedUnder;
    private final long windowMs;
    private final TaskName name;
    private final TaskPipeline pipeline;
    private CalibrationRecorder recorder;

    CalibrationLoop(MicrobatchConfig config, TaskName name, TaskPipeline pipeline) {
        this.settings = config.calibration();
        this.upstream = config.upstream().kind();
        // What suits single records does not suit packed events.
        this.learnedUnder = config.batch().learnedUnder() + (config.bulk().isPresent() ? " packed" : "");
        this.windowMs = config.pressure().windowMs();
        this.name = name;
        this.pipeline = pipeline;
    }

    void startOnceDeliveryIsKnown() {
        if (recorder == null && settings.enabled() && pipeline.delivery() != Delivery.UNKNOWN) {
            String mode = pipeline.delivery().text() + learnedUnder;
            recorder = new CalibrationRecorder(
                    name.text() + "-calibration",
                    settings.directory().toString(),
                    () -> key(mode),
                    windowMs,
                    pipeline::finishedWindows,
                    pipeline.learner());
            recorder.start();
        }
    }

    /** On the calibration thread: a name server that does not answer must not hold up a poll. */
    private CalibrationKey key(String mode) {
        return new CalibrationKey(
                name.connector(),
                name.number(),
                mode,
                host(),
                upstream.name().toLowerCase(Locale.ROOT),
                Version.current());
    }

    private static String host() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "unknown";
        }
    }

    /** Lets the thread end without waiting for it. */
    void requestStop() {
        if (recorder != null) {
            recorder.requestStop();
        }
    }

    @Override
    public void close() {
        if (recorder != null) {
            recorder.close();
        }
    }
}
