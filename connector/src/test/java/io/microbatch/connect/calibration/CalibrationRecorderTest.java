package io.microbatch.connect.calibration;

import static io.microbatch.connect.calibration.Samples.KEY;
import static io.microbatch.connect.calibration.Samples.best;
import static io.microbatch.connect.calibration.Samples.observation;
import static io.microbatch.connect.calibration.Samples.open;
import static io.microbatch.connect.pressure.PressureLevel.L3_LOW;
import static io.microbatch.connect.pressure.PressureLevel.L5_BALANCED;
import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.pressure.PressureLevel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CalibrationRecorderTest {
    @TempDir
    Path directory;

    private long nowNanos = -TimeUnit.SECONDS.toNanos(15);
    private int asked;
    private WindowLearner learner = WindowLearner.NONE;
    private final List<Map<PressureLevel, LevelBest>> openedWith = new ArrayList<>();

    /** Concludes as it is told to. */
    private final class Told implements WindowLearner {
        private final Function<Observation, Optional<LevelBest>> conclusion;

        private Told(Function<Observation, Optional<LevelBest>> conclusion) {
            this.conclusion = conclusion;
        }

        @Override
        public void opened(Map<PressureLevel, LevelBest> bests) {
            openedWith.add(bests);
        }

        @Override
        public Optional<LevelBest> learn(Observation observation) {
            return conclusion.apply(observation);
        }

        @Override
        public long explorationTotal() {
            return 0;
        }

        @Override
        public long regressionTotal() {
            return 0;
        }

        @Override
        public long learnedEpochMs() {
            return 0;
        }
    }

    @Test
    void keepsEveryWindowAndWhatIsLearnedFromIt() throws Exception {
        learner = new Told(
                observation -> observation.level() == L3_LOW ? Optional.of(best(L3_LOW, asked)) : Optional.empty());
        for (int run = 0; run < 2; run++) {
            CalibrationRecorder recorder =
                    recorder(() -> List.of(observation(L3_LOW, ++asked), observation(L5_BALANCED, asked)));
            recorder.runOnce();
            recorder.runOnce();
            assertThat(recorder.status().durable()).isTrue();
            recorder.closeFile();
        }
        assertThat(openedWith).containsExactly(Map.of(), Map.of(L3_LOW, best(L3_LOW, 2)));
        try (SqliteCalibrationStore store = open(directory)) {
            assertThat(store.recent(L3_LOW, 2)).containsExactly(observation(L3_LOW, 4), observation(L3_LOW, 3));
            assertThat(store.recent(L5_BALANCED, 10)).hasSize(4);
            assertThat(store.bests()).isEqualTo(Map.of(L3_LOW, best(L3_LOW, 4)));
        }
    }

    @Test
    void opensAFileThatAZombieHeldWithoutWaitingForTheWindow() throws Exception {
        SqliteCalibrationStore zombie = open(directory);
        CalibrationRecorder recorder = recorder(List::of);
        recorder.runOnce();
        assertThat(recorder.status().durable()).isFalse();
        assertThat(recorder.status().reason()).contains("is held by");
        zombie.close();
        passMs(5_000);
        recorder.runOnce();
        assertThat(recorder.status()).isEqualTo(new CalibrationStatus(true, "", 0, 0));
        recorder.closeFile();
    }

    @Test
    void tellsWhatAZombiesFileHasAsSoonAsItOpensAndLosesNothingOfEither() throws Exception {
        SqliteCalibrationStore zombie = open(directory);
        zombie.putBest(best(L3_LOW, 7));
        zombie.putBest(best(L5_BALANCED, 8));
        learner = new Told(observation ->
                asked == 1 && observation.level() == L3_LOW ? Optional.of(best(L3_LOW, 1)) : Optional.empty());
        CalibrationRecorder recorder = recorder(() -> List.of(observation(L3_LOW, ++asked)));
        recorder.runOnce();
        assertThat(openedWith).as("before there is a file").isEmpty();
        zombie.close();
        passMs(5_000);
        recorder.runOnce();
        recorder.runOnce();
        assertThat(openedWith).containsExactly(Map.of(L3_LOW, best(L3_LOW, 1), L5_BALANCED, best(L5_BALANCED, 8)));
        recorder.closeFile();
    }

    @Test
    void goesOnAfterAConclusionThatWasOutOfRange() {
        learner = new Told(observation -> {
            if (observation.level() == L3_LOW) {
                throw new IllegalArgumentException("lingerMs is NaN");
            }
            return Optional.of(best(L5_BALANCED, ++asked));
        });
        CalibrationRecorder recorder = recorder(() -> List.of(observation(L3_LOW, 1), observation(L5_BALANCED, 1)));
        recorder.runOnce();
        assertThat(asked).as("the window behind it").isEqualTo(1);
        recorder.closeFile();
    }

    @Test
    void goesOnAfterAWindowThatCouldNotBeObserved() {
        CalibrationRecorder recorder = recorder(() -> {
            if (++asked < 3) {
                throw new IllegalArgumentException("p99 is NaN");
            }
            return List.of(observation(L3_LOW, asked));
        });
        for (int i = 0; i < 3; i++) {
            recorder.runOnce();
        }
        assertThat(asked).isEqualTo(3);
        assertThat(recorder.status()).isEqualTo(new CalibrationStatus(true, "", 0, 0));
        recorder.closeFile();
    }

    @Test
    void doesEverythingOnADaemonOfItsOwnAndLetsGoOfTheFile()
            throws CalibrationException, ExecutionException, InterruptedException, TimeoutException {
        CompletableFuture<Thread> seen = new CompletableFuture<>();
        CompletableFuture<Thread> asking = new CompletableFuture<>();
        try (CalibrationRecorder recorder = new CalibrationRecorder(
                "orders-0-calibration",
                directory.toString(),
                () -> {
                    asking.complete(Thread.currentThread());
                    return KEY;
                },
                1,
                () -> {
                    seen.complete(Thread.currentThread());
                    return List.of(observation(L3_LOW, 1));
                },
                WindowLearner.NONE)) {
            recorder.start();
            Thread thread = seen.get(1, TimeUnit.MINUTES);
            assertThat(thread.getName()).isEqualTo("orders-0-calibration");
            assertThat(thread.isDaemon()).isTrue();
            assertThat(asking).as("whatever a look-up takes").isCompletedWithValue(thread);
        }
        try (SqliteCalibrationStore store = open(directory)) {
            assertThat(store.recent(L3_LOW, 1)).hasSize(1);
        }
    }

    @Test
    void closesWhileTheDiskHangsAndCleansUpWhenItAnswers() throws InterruptedException {
        CountDownLatch hanging = new CountDownLatch(1);
        CountDownLatch answer = new CountDownLatch(1);
        List<Thread> threads = new ArrayList<>();
        FailingStore store = new FailingStore();
        CalibrationRecorder recorder = new CalibrationRecorder(
                () -> {
                    threads.add(Thread.currentThread());
                    hanging.countDown();
                    awaitQuietly(answer);
                    return new CalibrationFile(() -> store, System::nanoTime, warning -> {});
                },
                "hanging",
                10_000,
                List::of,
                WindowLearner.NONE);
        recorder.start();
        hanging.await();
        recorder.close();
        assertThat(threads.get(0).isAlive())
                .as("closed without the disk's answer")
                .isTrue();
        answer.countDown();
        threads.get(0).join();
        assertThat(store.closed).isEqualTo(1);
    }

    @Test
    void mayBeClosedWithoutEverHavingStarted() {
        recorder(List::of).close();
        assertThat(directory).isEmptyDirectory();
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private CalibrationRecorder recorder(Supplier<List<Observation>> windows) {
        return new CalibrationRecorder(
                () -> CalibrationFile.open(directory.toString(), KEY, Samples.CLOCK, () -> nowNanos),
                "recorder-test",
                10_000,
                windows,
                learner);
    }

    private void passMs(long ms) {
        nowNanos += TimeUnit.MILLISECONDS.toNanos(ms);
    }
}
