package io.microbatch.connect;

import io.microbatch.connect.upstream.Intake;
import io.microbatch.connect.upstream.UpstreamReader;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.apache.kafka.connect.source.SourceRecord;

/** A reader that returns events without end, with offsets from 0 on. */
final class BusyReader implements UpstreamReader {

    private final CountDownLatch hasBegun;
    private int offset;

    /** Opens the latch with the first event. */
    BusyReader(CountDownLatch hasBegun) {
        this.hasBegun = hasBegun;
    }

    @Override
    public void start() {}

    @Override
    public void fetch(Intake intake) throws InterruptedException {
        SourceRecord next = new SourceRecord(Map.of("p", 0), Map.of("o", offset++), "t", null, null);
        intake.addAll(List.of(next), false, System.nanoTime(), event -> {});
        hasBegun.countDown();
    }

    @Override
    public void stop() {}
}
