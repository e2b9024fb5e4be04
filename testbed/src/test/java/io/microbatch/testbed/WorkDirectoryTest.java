package io.microbatch.testbed;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class WorkDirectoryTest {

    @Test
    void isDeletedWithItsContentOnClose() throws IOException {
        WorkDirectory work = WorkDirectory.createOnFreeDisk("microbatch-test");
        Files.writeString(Files.createDirectories(work.path().resolve("a/b")).resolve("c"), "text");
        work.close();
        assertThat(work.path()).doesNotExist();
    }

    @Test
    void removesTheDirectoryOfAKilledProcessAndKeepsDirectoriesInUse() throws IOException, InterruptedException {
        Process process = new ProcessBuilder("true").start();
        assertThat(process.waitFor()).isZero();
        Path left = Files.createTempDirectory("microbatch-test.pid-" + process.pid() + ".");
        Files.writeString(left.resolve("file"), "text");
        try (WorkDirectory inUse = WorkDirectory.create("microbatch-test")) {
            assertThat(WorkDirectory.removeLeftOvers()).isPositive();
            assertThat(left).doesNotExist();
            assertThat(inUse.path()).exists();
        }
    }
}
