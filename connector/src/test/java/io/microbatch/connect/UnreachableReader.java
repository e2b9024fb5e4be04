package io.microbatch.connect;

import io.microbatch.connect.upstream.Intake;
import io.microbatch.connect.upstream.Progress;
import io.microbatch.connect.upstream.UpstreamReader;
import java.util.concurrent.CountDownLatch;
import org.apache.kafka.connect.errors.RetriableException;

/** A reader that reports that it cannot confirm at the moment, after which nobody tries again. */
final class UnreachableReader implements UpstreamReader {

    private final CountDownLatch stopped;

    UnreachableReader(CountDownLatch stopped) {
        this.stopped = stopped;
    }

    @Override
    public void start() {}

    @Override
    public void fetch(Intake intake) {}

    @Override
    public void committed(Progress progress) {
        throw new RetriableException("try later");
    }

    @Override
    public void stop() {
        stopped.countDown();
    }
}
