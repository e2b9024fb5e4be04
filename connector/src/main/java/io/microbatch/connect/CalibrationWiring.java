package io.microbatch.connect;

import io.microbatch.connect.ack.AckSignals.Delivery;
import io.microbatch.connect.calibration.CalibrationKey;
import io.microbatch.connect.calibration.CalibrationRecorder;
import io.microbatch.connect.calibration.Meaning;
import io.microbatch.connect.config.BoundaryConfig;
import io.microbatch.connect.config.MicrobatchConfig;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.Optional;

/** Builds a task's calibration thread. Stateless; task thread. */
final class CalibrationWiring {

    private CalibrationWiring() {}

    /**
     * The thread, not started. It opens the file after the first acknowledgement has shown the delivery mode, because a
     * setting that was learned in one delivery mode is wrong in the other.
     */
    static CalibrationRecorder build(MicrobatchConfig config, TaskName name, TaskPipeline pipeline) {
        return new CalibrationRecorder(
                name.text() + "-calibration",
                config.calibration().directory().toString(),
                () -> key(config, name, pipeline.delivery()),
                config.pressure().windowMs(),
                pipeline::finishedWindows,
                pipeline.learner());
    }

    /** Called on the calibration thread, because a slow name server must not delay a poll. */
    static Optional<CalibrationKey> key(MicrobatchConfig config, TaskName name, Delivery delivery) {
        if (delivery == Delivery.UNKNOWN) {
            return Optional.empty();
        }
        // A setting for single records does not suit packed events.
        BoundaryConfig boundary = BoundaryConfig.from(config.originalsStrings());
        String packed = config.bulk().isPresent() ? " packed" : "";
        return Optional.of(new CalibrationKey(
                name.connector(),
                name.number(),
                delivery.text() + config.batch().learnedUnder() + packed + boundary.learnedUnder(),
                host(),
                config.upstream().kind().name().toLowerCase(Locale.ROOT),
                Meaning.current()));
    }

    private static String host() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "unknown";
        }
    }
}
