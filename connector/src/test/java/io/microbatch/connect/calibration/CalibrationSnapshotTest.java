package io.microbatch.connect.calibration;

import static io.microbatch.connect.calibration.Samples.KEY;
import static io.microbatch.connect.calibration.Samples.best;
import static io.microbatch.connect.calibration.Samples.file;
import static io.microbatch.connect.calibration.Samples.observation;
import static io.microbatch.connect.calibration.Samples.open;
import static io.microbatch.connect.calibration.Samples.sql;
import static io.microbatch.connect.pressure.PressureLevel.L3_LOW;
import static io.microbatch.connect.pressure.PressureLevel.L5_BALANCED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CalibrationSnapshotTest {

    @TempDir
    Path directory;

    @TempDir
    Path scratch;

    private void fill() throws CalibrationException {
        try (SqliteCalibrationStore store = open(directory)) {
            store.append(observation(L3_LOW, 1));
            store.append(observation(L3_LOW, 2));
            store.append(observation(L5_BALANCED, 3));
            store.putBest(best(L3_LOW, 4));
        }
    }

    @BeforeEach
    void begin() throws CalibrationException {
        fill();
    }

    @Test
    void showsBestsAndLatestObservationsOfEveryKey() throws IOException {
        assertThat(CalibrationSnapshot.read(file(directory), scratch, 1))
                .singleElement()
                .satisfies(snapshot -> {
                    assertThat(snapshot.key()).isEqualTo(KEY);
                    assertThat(snapshot.bests()).containsOnlyKeys(L3_LOW).containsValue(best(L3_LOW, 4));
                    assertThat(snapshot.recent())
                            .containsEntry(L3_LOW, List.of(observation(L3_LOW, 2)))
                            .containsEntry(L5_BALANCED, List.of(observation(L5_BALANCED, 3)));
                    assertThat(snapshot.skippedRows()).isZero();
                });
    }

    @Test
    void readsWhileATaskHoldsTheFileAndLeavesItAlone() throws CalibrationException, IOException, InterruptedException {
        try (SqliteCalibrationStore running = open(directory)) {
            running.append(observation(L3_LOW, 7));
            assertThat(CalibrationSnapshot.read(copyOfAnotherProcess(), scratch, 1))
                    .singleElement()
                    .satisfies(snapshot ->
                            assertThat(snapshot.recent()).containsEntry(L3_LOW, List.of(observation(L3_LOW, 7))));
            running.append(observation(L3_LOW, 8));
            assertThat(running.recent(L3_LOW, 1)).containsExactly(observation(L3_LOW, 8));
        }
    }

    /** As seen by another process: closing a descriptor of the held file in this one would drop its lock. */
    private Path copyOfAnotherProcess() throws IOException, InterruptedException {
        Path seen = Files.createDirectories(scratch.resolve("seen"));
        int code = new ProcessBuilder("cp", "-a", directory + "/.", seen.toString())
                .inheritIO()
                .start()
                .waitFor();
        assertThat(code).isZero();
        return file(seen);
    }

    @Test
    void countsWhatItDoesNotBelieve() throws Exception {
        sql(file(directory), "UPDATE best SET linger_ms = 99");
        assertThat(CalibrationSnapshot.read(file(directory), scratch, 1))
                .singleElement()
                .satisfies(snapshot -> {
                    assertThat(snapshot.bests()).isEmpty();
                    assertThat(snapshot.skippedRows()).isEqualTo(1);
                });
    }

    @Test
    void refusesWhatIsNoCalibrationFile() throws IOException {
        Path garbage = Files.writeString(directory.resolve("garbage"), "no database at all, whatever its name says");
        assertThatThrownBy(() -> CalibrationSnapshot.read(garbage, scratch, 1))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(garbage.toString());
        Path link = Files.createSymbolicLink(directory.resolve("link"), file(directory));
        assertThatThrownBy(() -> CalibrationSnapshot.read(link, scratch, 1)).hasMessageContaining("no link");
        assertThatThrownBy(() -> CalibrationSnapshot.read(directory.resolve("missing"), scratch, 1))
                .hasMessageContaining("is not a calibration file");
    }
}
