package io.microbatch.connect.calibration;

import static io.microbatch.connect.calibration.Samples.KEY;
import static io.microbatch.connect.calibration.Samples.best;
import static io.microbatch.connect.calibration.Samples.observation;
import static io.microbatch.connect.calibration.Samples.open;
import static io.microbatch.connect.calibration.Samples.stored;
import static io.microbatch.connect.pressure.PressureLevel.L3_LOW;
import static io.microbatch.connect.pressure.PressureLevel.L5_BALANCED;
import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.learning.LevelBest;
import io.microbatch.connect.learning.Observation;
import io.microbatch.connect.learning.WindowLearner;
import io.microbatch.connect.pressure.PressureLevel;
import java.nio.file.Path;
import java.sql.SQLException;
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

    /** Returns what the test defines. */
    private final class Scripted implements WindowLearner {
        private final Function<Observation, Optional<LevelBest>> conclusion;

        private Scripted(Function<Observation, Optional<LevelBest>> conclusion) {
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
    }

    @Test
    void storesEveryWindowAndTheLearnedBests() throws Exception {
        learner = new Scripted(
                observation -> observation.level() == L3_LOW ? Optional.of(best(L3_LOW, asked)) : Optional.empty());
        for (int run = 0; run < 2; run++) {
            CalibrationRecorder recorder =
                    recorder(() -> List.of(observation(L3_LOW, ++asked), observation(L5_BALANCED, asked)));
            recorder.runOnce();
            recorder.runOnce();
            recorder.closeFile();
        }
        assertThat(openedWith).containsExactly(Map.of(), Map.of(L3_LOW, best(L3_LOW, 2)));
        assertThat(stored(directory, L3_LOW)).startsWith(observation(L3_LOW, 4), observation(L3_LOW, 3));
        assertThat(stored(directory, L5_BALANCED)).hasSize(4);
        try (CalibrationStore store = open(directory)) {
            assertThat(store.bests()).isEqualTo(Map.of(L3_LOW, best(L3_LOW, 4)));
        }
    }

    @Test
    void opensTheFileOfAnEndedZombieWithoutWaitingForAWindow() throws Exception {
        CalibrationStore zombie = open(directory);
        learner = new Scripted(observation -> Optional.empty());
        CalibrationRecorder recorder = recorder(List::of);
        recorder.runOnce();
        assertThat(openedWith).as("the zombie holds it").isEmpty();
        zombie.close();
        passMs(5_000);
        recorder.runOnce();
        assertThat(openedWith).hasSize(1);
        recorder.closeFile();
    }

    @Test
    void readsTheFileOfAZombieWhenItOpensAndKeepsTheRowsOfBoth() throws Exception {
        CalibrationStore zombie = open(directory);
        zombie.putBest(best(L3_LOW, 7));
        zombie.putBest(best(L5_BALANCED, 8));
        learner = new Scripted(observation ->
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
    void continuesAfterAConclusionOutOfRange() {
        learner = new Scripted(observation -> {
            if (observation.level() == L3_LOW) {
                throw new IllegalArgumentException("lingerMs is NaN");
            }
            return Optional.of(best(L5_BALANCED, ++asked));
        });
        CalibrationRecorder recorder = recorder(() -> List.of(observation(L3_LOW, 1), observation(L5_BALANCED, 1)));
        recorder.runOnce();
        assertThat(asked).as("the next window").isEqualTo(1);
        recorder.closeFile();
    }

    @Test
    void continuesAfterAWindowThatCannotBeObserved() throws SQLException {
        CalibrationRecorder recorder = recorder(() -> {
            if (++asked < 3) {
                throw new IllegalArgumentException("p99 is NaN");
            }
            return List.of(observation(L3_LOW, asked));
        });
        for (int i = 0; i < 3; i++) {
            recorder.runOnce();
        }
        recorder.closeFile();
        assertThat(asked).isEqualTo(3);
        assertThat(stored(directory, L3_LOW)).hasSize(1);
    }

    @Test
    void opensNoFileAndStoresNoWindowBeforeTheKeyIsKnown() throws Exception {
        List<Optional<CalibrationFile>> openings = new ArrayList<>(List.of(Optional.empty(), Optional.empty()));
        CalibrationRecorder recorder = new CalibrationRecorder(
                () -> openings.isEmpty() ? Optional.of(file()) : openings.remove(0),
                "recorder-test",
                10_000,
                () -> List.of(observation(L3_LOW, ++asked)),
                learner);
        recorder.runOnce();
        recorder.runOnce();
        assertThat(asked).isZero();
        assertThat(directory).isEmptyDirectory();
        recorder.runOnce();
        recorder.closeFile();
        assertThat(stored(directory, L3_LOW)).containsExactly(observation(L3_LOW, 1));
    }

    @Test
    void usesOneDaemonThreadAndReleasesTheFile()
            throws SQLException, ExecutionException, InterruptedException, TimeoutException {
        CompletableFuture<Thread> seen = new CompletableFuture<>();
        CompletableFuture<Thread> asking = new CompletableFuture<>();
        try (CalibrationRecorder recorder = new CalibrationRecorder(
                "orders-0-calibration",
                directory.toString(),
                () -> {
                    asking.complete(Thread.currentThread());
                    return Optional.of(KEY);
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
            assertThat(asking).as("however long a look-up takes").isCompletedWithValue(thread);
        }
        assertThat(stored(directory, L3_LOW)).isNotEmpty();
    }

    @Test
    void closesWhileTheDiskHangsAndCleansUpWhenItResponds() throws CalibrationException, InterruptedException {
        CountDownLatch hanging = new CountDownLatch(1);
        CountDownLatch answer = new CountDownLatch(1);
        List<Thread> threads = new ArrayList<>();
        CalibrationRecorder recorder = new CalibrationRecorder(
                () -> {
                    threads.add(Thread.currentThread());
                    hanging.countDown();
                    awaitQuietly(answer);
                    return Optional.of(file());
                },
                "hanging",
                10_000,
                List::of,
                WindowLearner.NONE);
        recorder.start();
        hanging.await();
        recorder.close();
        assertThat(threads.get(0).isAlive())
                .as("closed before the disk responds")
                .isTrue();
        answer.countDown();
        threads.get(0).join();
        open(directory).close();
    }

    @Test
    void mayBeClosedWithoutAStart() {
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
        return new CalibrationRecorder(() -> Optional.of(file()), "recorder-test", 10_000, windows, learner);
    }

    private CalibrationFile file() {
        return CalibrationFile.open(directory.toString(), KEY, Samples.CLOCK, () -> nowNanos);
    }

    private void passMs(long ms) {
        nowNanos += TimeUnit.MILLISECONDS.toNanos(ms);
    }
}
