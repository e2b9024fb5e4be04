package io.microbatch.connect.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.ack.DurableWatermark;
import io.microbatch.connect.ack.EventRecord;
import io.microbatch.connect.ack.SettledEvent;
import io.microbatch.connect.stripe.Offering;
import io.microbatch.connect.stripe.StripeSet;
import java.net.BindException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.errors.RetriableException;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The loop runs on the test's own thread. The reader that it calls requests the stop. */
@Timeout(60)
class ReaderLoopTest {

    private final AtomicLong nowNanos = new AtomicLong();
    private final StripeSet<EventRecord> stripes = new StripeSet<>(1, 8, 1 << 20, System::nanoTime);
    private final List<String> calls = new ArrayList<>();
    private final ScriptedReader reader = new ScriptedReader();
    private Converting onConvert = () -> {};
    private final LogLines failures = new LogLines();
    private final ReaderLoop loop = loop(reader, stripes);
    private final ClassLoader loaderBefore = Thread.currentThread().getContextClassLoader();

    private ReaderLoop loop(UpstreamReader of, StripeSet<EventRecord> stripes) {
        ReaderFailure failure = new ReaderFailure(failures.logger());
        DurableWatermark watermark = new DurableWatermark(0);
        return new ReaderLoop(of, new NotedConversion(), stripes.writer(0), watermark, nowNanos::get, failure);
    }

    @AfterEach
    void restoreTheThread() {
        Thread.currentThread().setContextClassLoader(loaderBefore);
        assertThat(Thread.interrupted())
                .as("the interrupt status after the test")
                .isFalse();
    }

    /** The action of a fetch, by its number from 1. */
    @FunctionalInterface
    private interface Fetch {
        void into(Intake intake, int number) throws InterruptedException;
    }

    private final class ScriptedReader implements UpstreamReader {
        private Runnable onStart = () -> {};
        private Fetch onFetch = (intake, number) -> loop.requestStop();
        private Runnable onSettled = () -> {};
        private Runnable onStop = () -> {};
        private int fetches;

        @Override
        public void start() {
            calls.add("start");
            onStart.run();
        }

        @Override
        public void fetch(Intake intake) throws InterruptedException {
            calls.add("fetch");
            onFetch.into(intake, ++fetches);
        }

        @Override
        public void settled(SettledEvent event) {
            calls.add("settled " + event.sourceOffset().get("o"));
            onSettled.run();
        }

        @Override
        public void committed(Progress progress) {
            calls.add(progress.isAllSettled() ? "committed all" : "committed");
        }

        @Override
        public void abandon() {
            calls.add("abandon");
        }

        @Override
        public void stop() {
            calls.add("stop");
            onStop.run();
        }
    }

    /** What a conversion does before it answers. */
    @FunctionalInterface
    private interface Converting {
        void run() throws InterruptedException;
    }

    private final class NotedConversion implements RecordConversion {
        @Override
        public void open() {
            calls.add("open");
        }

        @Override
        public SourceRecord convert(SourceRecord record, Intake.Backpressure waiting) throws InterruptedException {
            onConvert.run();
            return record;
        }

        @Override
        public void close() {
            calls.add("close");
        }
    }

    private static List<SourceRecord> events(int count) {
        List<SourceRecord> events = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            events.add(new SourceRecord(Map.of(), Map.of("o", i), "t", null, null));
        }
        return events;
    }

    private List<EventRecord> drained() {
        List<EventRecord> drained = new ArrayList<>();
        int ignored = stripes.drain((event, size) -> drained.add(event), 100, 1 << 20, EventRecord::sameOffset);
        return drained;
    }

    @Test
    void opensTheConversionBeforeTheReaderAndClosesItAfterIt() {
        loop.run();
        assertThat(calls).containsExactly("open", "start", "fetch", "committed all", "committed all", "stop", "close");
        assertThat(loop.failure()).isNull();
        assertThat(Offering.isClosed(stripes.writer(0))).isTrue();
    }

    @Test
    void startsAgainWithANewConversionWhileAPredecessorHoldsTheUpstream() {
        AtomicInteger starts = new AtomicInteger();
        reader.onStart = () -> {
            if (starts.incrementAndGet() < 3) {
                throw new ConnectException("cannot listen", new BindException("port in use"));
            }
        };
        loop.run();
        assertThat(calls)
                .startsWith(
                        "open", "start", "stop", "close", "open", "start", "stop", "close", "open", "start", "fetch");
        assertThat(loop.failure()).isNull();
    }

    @Test
    void stopsRetryingAStartThatKeepsFailing() {
        BindException cause = new BindException("port in use");
        reader.onStart = () -> {
            nowNanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(StartRetry.LIMIT_MS));
            throw new ConnectException("cannot listen", cause);
        };
        loop.run();
        assertThat(calls).containsExactly("open", "start", "stop", "close", "open", "start", "stop", "close");
        assertThat(loop.failure()).hasRootCause(cause);
    }

    @Test
    void reportsAFailedStartImmediatelyAndStopsTheReader() {
        ConnectException cause = new ConnectException("no such database");
        reader.onStart = () -> {
            throw cause;
        };
        loop.run();
        assertThat(calls).containsExactly("open", "start", "stop", "close");
        assertThat(loop.failure()).isSameAs(cause);
    }

    @Test
    void doesNotRetryTheStartAfterAStopRequest() {
        reader.onStart = () -> {
            loop.requestStop();
            throw new RetriableException("not yet");
        };
        loop.run();
        assertThat(calls).containsExactly("open", "start", "stop", "close");
        assertThat(loop.failure()).isNull();
    }

    @Test
    void fetchesAgainAfterARetriableErrorAndReportsAnyOther() {
        IllegalStateException cause = new IllegalStateException("connection lost");
        reader.onFetch = (intake, number) -> {
            if (number == 1) {
                throw new RetriableException("try again");
            }
            throw cause;
        };
        loop.run();
        assertThat(calls)
                .containsExactly("open", "start", "fetch", "committed all", "fetch", "committed", "stop", "close");
        assertThat(loop.failure()).isSameAs(cause);
        assertThat(failures.written())
                .as("without a poll of the task")
                .containsExactly("warn The upstream of this task has failed; the task reports it at its next poll "
                        + "with connection lost");
        assertThat(Offering.isClosed(stripes.writer(0))).isTrue();
    }

    /** The task reports the failure of the other reader. */
    @Test
    void takesTheEndByTheFailureOfAnotherReaderForNone() {
        reader.onFetch = (intake, number) -> {
            stripes.close();
            throw new InterruptedException("the stripe is closed");
        };
        loop.run();
        assertThat(loop.failure()).isNull();
        assertThat(failures.written()).isEmpty();
    }

    /** A task that takes commit as the acknowledgement of all it has returned would lose the event that failed. */
    @Test
    void isNotDoneWithAllWhenAnEventOfTheLastFetchWasNotConverted() {
        reader.onFetch = (intake, number) -> intake.addAll(events(1), false, 0, event -> {});
        onConvert = () -> {
            throw new ConnectException("the schema is refused");
        };
        loop.run();
        assertThat(loop.failure()).hasMessage("the schema is refused");
        assertThat(calls).containsExactly("open", "start", "fetch", "committed", "stop", "close");
    }

    @Test
    void isNotDoneWithAllWhenAStopInterruptsAConversion() {
        reader.onFetch = (intake, number) -> intake.addAll(events(1), false, 0, event -> {});
        onConvert = () -> {
            loop.requestStop();
            throw new InterruptedException("the task stops during a retry");
        };
        loop.run();
        assertThat(calls).endsWith("fetch", "committed", "stop", "close");
    }

    @Test
    void notifiesOfSettledEventsInOrderAndThenOfTheProgress() {
        List<EventRecord> inFlight = new ArrayList<>();
        reader.onFetch = (intake, number) -> {
            if (number == 1) {
                intake.addAll(events(3), false, 0, event -> {});
            } else if (number == 2) {
                inFlight.addAll(drained());
                inFlight.get(2).settle(null, 1);
                inFlight.get(0).settle(null, 1);
            } else {
                inFlight.get(1).settle(null, 1);
                loop.requestStop();
            }
        };
        loop.run();
        assertThat(calls)
                .containsSubsequence("fetch", "committed", "fetch", "settled 0", "committed", "fetch")
                .endsWith("fetch", "settled 1", "settled 2", "committed all", "committed all", "stop", "close");
        assertThat(loop.ledgerDepth()).isZero();
    }

    /** A poll of a hosted task may wait for hours. The figure must not say meanwhile that Kafka gets nothing. */
    @Test
    void countsAnEventAsDoneWhenItIsSettledWhileAFetchWaits() {
        List<Integer> depths = new ArrayList<>();
        reader.onFetch = (intake, number) -> {
            if (number == 1) {
                intake.addAll(events(3), false, 0, event -> {});
                return;
            }
            List<EventRecord> inFlight = drained();
            depths.add(loop.ledgerDepth());
            inFlight.get(1).settle(null, 1);
            depths.add(loop.ledgerDepth());
            inFlight.forEach(event -> event.settle(null, 1));
            depths.add(loop.ledgerDepth());
            loop.requestStop();
        };
        loop.run();
        assertThat(depths).containsExactly(3, 2, 0);
        assertThat(loop.failure()).isNull();
    }

    /** Connect still delivers returned events when a task is stopping. */
    @Test
    void deliversTheLastAcknowledgementsBeforeItStopsTheReader() {
        reader.onFetch = (intake, number) -> {
            if (number == 1) {
                intake.addAll(events(2), false, 0, event -> {});
                return;
            }
            loop.requestStop();
            drained().forEach(event -> event.settle(null, 1));
            throw new InterruptedException("the stripe is closed");
        };
        loop.run();
        assertThat(calls).endsWith("fetch", "settled 0", "settled 1", "committed", "stop", "close");
        assertThat(loop.failure()).isNull();
        assertThat(failures.written()).isEmpty();
    }

    @Test
    void confirmsNothingOnceAbandonedAndStopsTheReader() {
        reader.onFetch = (intake, number) -> {
            intake.addAll(events(3), false, 0, event -> {});
            drained().forEach(event -> event.settle(null, 1));
        };
        reader.onSettled = () -> {
            loop.requestStop();
            loop.abandon();
        };
        loop.run();
        assertThat(calls).containsExactly("open", "start", "fetch", "settled 0", "abandon", "stop", "close");
    }

    /** A reader with an event at each fetch, of which all but the first are settled. */
    private final class EndlessReader implements UpstreamReader {
        private static final int PAUSES = 5;
        private static final int MAX_FETCHES = 1_000;

        private final StripeSet<EventRecord> small = new StripeSet<>(1, 8, 1_024, System::nanoTime);
        private final ReaderLoop endless = loop(this, small);
        private final List<EventRecord> inFlight = new ArrayList<>();
        private int fetches;
        private int fetchesBefore;
        private int pauses;
        private double silentMs;

        @Override
        public void start() {
            calls.add("start");
        }

        @Override
        public void fetch(Intake intake) throws InterruptedException {
            fetches++;
            if (pauses > 0 || fetches > MAX_FETCHES) {
                silentMs = endless.silentMs();
                endless.requestStop();
                return;
            }
            intake.addAll(events(1), false, 0, event -> {});
            int ignored = small.drain((event, size) -> inFlight.add(event), 8, 1 << 20, EventRecord::sameOffset);
            inFlight.stream().skip(1).filter(event -> !event.isSettled()).forEach(event -> event.settle(null, 1));
        }

        /** Called after each fetch, and after each pause. */
        @Override
        public void committed(Progress progress) {
            if (fetches == fetchesBefore && ++pauses == PAUSES) {
                inFlight.get(0).settle(null, 1);
            }
            fetchesBefore = fetches;
            long ignored = nowNanos.addAndGet(TimeUnit.SECONDS.toNanos(1));
        }

        @Override
        public void stop() {
            calls.add("stop");
        }
    }

    /** One event may stay unsettled for hours, while those behind it are settled. */
    @Test
    void fetchesNothingWhileAnUnsettledEventKeepsAsMuchAsAStripeHolds() {
        EndlessReader reader = new EndlessReader();
        reader.endless.run();
        assertThat(reader.endless.failure()).isNull();
        assertThat(reader.fetches).isLessThan(EndlessReader.MAX_FETCHES);
        assertThat(reader.pauses).isGreaterThanOrEqualTo(EndlessReader.PAUSES);
        assertThat(reader.silentMs)
                .as("the silence of an upstream that nobody asks")
                .isLessThanOrEqualTo(1_000);
    }

    @Test
    void closesTheConversionWhenTheStopOfTheReaderFails() {
        IllegalStateException cause = new IllegalStateException("connection lost");
        IllegalStateException again = new IllegalStateException("already closed");
        reader.onFetch = (intake, number) -> {
            throw cause;
        };
        reader.onStop = () -> {
            throw again;
        };
        loop.run();
        assertThat(calls).endsWith("stop", "close");
        assertThat(loop.failure()).as("the first one").isSameAs(cause);
        assertThat(Offering.isClosed(stripes.writer(0))).isTrue();
    }
}
