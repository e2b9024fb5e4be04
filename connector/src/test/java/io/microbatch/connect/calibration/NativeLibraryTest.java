package io.microbatch.connect.calibration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NativeLibraryTest {
    @TempDir
    Path directory;

    @AfterEach
    void removesExtractedFiles() {
        System.clearProperty(NativeLibrary.TMPDIR);
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void extractsIntoAPrivateDirectoryAndDeletesIt() throws Exception {
        NativeLibrary.load(directory, () -> {
            Path own = Path.of(System.getProperty(NativeLibrary.TMPDIR));
            assertThat(own.getParent()).isEqualTo(directory);
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(own)))
                    .isEqualTo("rwx------");
            Files.createFile(own.resolve("sqlite.so"));
            return true;
        });
        assertThat(System.getProperty(NativeLibrary.TMPDIR)).isNull();
    }

    /** A kill can meet a worker at this moment each time. */
    @Test
    void deletesWhatAKilledWorkerHasLeft() throws Exception {
        Path left = Files.createDirectory(directory.resolve("microbatch-native-1"));
        Files.createFile(left.resolve("sqlite.so"));
        Files.setLastModifiedTime(left, FileTime.from(Instant.now().minus(2, ChronoUnit.HOURS)));
        Path loading = Files.createDirectory(directory.resolve("microbatch-native-2"));
        Path foreign = Files.createDirectory(directory.resolve("native-1"));
        Files.setLastModifiedTime(foreign, FileTime.from(Instant.now().minus(2, ChronoUnit.HOURS)));
        NativeLibrary.load(directory, () -> true);
        assertThat(left).doesNotExist();
        assertThat(loading).exists();
        assertThat(foreign).exists();
        Files.delete(loading);
        Files.delete(foreign);
    }

    @Test
    void respectsTheOperatorsDirectory() throws Exception {
        System.setProperty(NativeLibrary.TMPDIR, "/chosen");
        NativeLibrary.load(directory, () -> {
            assertThat(System.getProperty(NativeLibrary.TMPDIR)).isEqualTo("/chosen");
            return true;
        });
        assertThat(System.getProperty(NativeLibrary.TMPDIR)).isEqualTo("/chosen");
    }

    @Test
    void convertsErrorsIntoAFaultThatNamesTheProperty() {
        assertFault(() -> {
            throw new UnsatisfiedLinkError("failed to map segment from shared object");
        });
        assertFault(() -> {
            throw new ExceptionInInitializerError("no");
        });
        assertFault(() -> {
            throw new Exception("No native library found");
        });
        assertFault(() -> false);
        assertThat(System.getProperty(NativeLibrary.TMPDIR)).isNull();
    }

    @Test
    void tasksOfAWorkerThatCannotLoadTheLibraryLearnInMemoryAndTheFirstOfThemSaysSo(@TempDir Path calibration)
            throws Exception {
        Path unusable = Files.createDirectory(calibration.resolve("unusable"));
        Path garbage = Files.writeString(unusable.resolve(System.mapLibraryName("sqlitejdbc")), "no library");
        // The driver extracts its own library where the given one cannot be used.
        String[] options = {"-Dorg.sqlite.lib.path=" + unusable, "-Dorg.sqlite.tmpdir=" + garbage};
        try (HolderProcess process = HolderProcess.start(calibration, 3, options)) {
            assertThat(process.said())
                    .contains("durable=false known=3 warnings=1 ")
                    .contains("Calibration is kept in memory only: SQLite's native library cannot be loaded")
                    .contains("; remedy: start the worker with -Dorg.sqlite.tmpdir");
        }
    }

    @Test
    void aLibraryThatCannotBeUsedWhereItIsGivenIsExtracted(@TempDir Path calibration) throws Exception {
        Path unusable = Files.createDirectory(calibration.resolve("unusable"));
        Path ignored = Files.writeString(unusable.resolve(System.mapLibraryName("sqlitejdbc")), "no library");
        try (HolderProcess process = HolderProcess.start(calibration, 2, "-Dorg.sqlite.lib.path=" + unusable)) {
            assertThat(process.said()).contains("durable=true known=2 warnings=0 ");
        }
    }

    @Test
    void neverLoadsTheDriverThatRegistersItselfInTheWholeWorker(@TempDir Path calibration) throws Exception {
        try (HolderProcess process = HolderProcess.start(calibration, "-Xlog:class+load:stdout")) {
            assertThat(process.said())
                    .contains("durable=true")
                    .contains(" org.sqlite.jdbc4.JDBC4Connection ")
                    .doesNotContain(" org.sqlite.JDBC ");
        }
    }

    private void assertFault(NativeLibrary.Loader loader) {
        assertThatThrownBy(() -> NativeLibrary.load(directory, loader))
                .isInstanceOfSatisfying(CalibrationException.class, e -> {
                    assertThat(e.fault()).isEqualTo(CalibrationFault.NO_NATIVE_LIBRARY);
                    assertThat(e.fault().remedy()).contains("-Dorg.sqlite.tmpdir");
                });
    }
}
