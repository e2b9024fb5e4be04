package io.microbatch.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PageCacheTest {

    private static final int BYTES = 1 << 20;

    @TempDir
    private Path directory;

    private Path file;

    @BeforeEach
    void write() throws IOException {
        file = Files.write(directory.resolve("00000000000000000000.log"), new byte[BYTES]);
    }

    /** As fincore(1) of util-linux counts it, in bytes. Negative where it cannot. */
    private static long cached(Path file) throws IOException {
        try {
            Process process = new ProcessBuilder("fincore", "--bytes", "--noheadings", "--output", "RES", file + "")
                    .redirectErrorStream(true)
                    .start();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            return said.matches("[0-9]+") ? Long.parseLong(said) : -1;
        } catch (IOException e) {
            return -1;
        }
    }

    @Test
    void nothingOfAFileStaysInMemory() throws IOException {
        assumeTrue(cached(file) > 0, "no fincore(1) on this machine");
        assumeTrue(!Files.getFileStore(file).type().equals("tmpfs"), "the file has no disk");
        assertThat(PageCache.drop(List.of(file))).isEmpty();
        assertThat(cached(file)).isZero();
        assertThat(file).hasSize(BYTES);
    }

    @Test
    void saysWhyItCouldNot() {
        assertThat(PageCache.drop(List.of(directory.resolve("none.log"))))
                .isNotEmpty()
                .satisfies(problem -> assertThat(problem).containsAnyOf("none.log", "cannot be run"));
    }

    @Test
    void whatAProcessHasReadIsUnknownWhereNobodySays() {
        assertThat(PageCache.diskBytes(-1)).isNaN();
        assumeTrue(Files.isReadable(Path.of("/proc/self/io")));
        assertThat(PageCache.diskBytes(ProcessHandle.current().pid())).isNotNegative();
    }

    @Test
    void findsTheSegmentsOfARunAndNoOthers() throws IOException {
        Layout two = new Layout(2, 2, 4, 1);
        LoadSpec spec =
                new LoadSpec("c", "t", Delivery.EXACTLY_ONCE, "0", 4, 0, 1, java.util.Map.of(), two, Promise.EXACT);
        for (String place : List.of("t-0-0", "t-0-1", "t-1-0", "t-2-0", "t-10-0", "other-0")) {
            Path topic = Files.createDirectories(directory.resolve("broker").resolve(place));
            Files.write(topic.resolve("0.log"), new byte[500_000]);
            Files.write(topic.resolve("0.index"), new byte[10]);
        }
        TopicFiles found = TopicFiles.of(directory, spec);
        assertThat(found.segments())
                .extracting(segment -> segment.getParent().getFileName().toString())
                .containsExactlyInAnyOrder("t-0-0", "t-0-1", "t-1-0");
        assertThat(found.mb()).isEqualTo(1.5);
    }

    /** A broker renames its checkpoints while it runs. */
    @Test
    void aFileThatIsGoneEndsNoSearch() throws IOException {
        TopicFiles.Search search = new TopicFiles.Search(List.of("t"));
        Path gone = directory.resolve("log-start-offset-checkpoint.tmp");
        assertThat(search.visitFileFailed(gone, new NoSuchFileException(gone.toString())))
                .isEqualTo(FileVisitResult.CONTINUE);
        IOException other = new IOException("of the disk");
        assertThatThrownBy(() -> search.visitFileFailed(gone, other)).isSameAs(other);
    }
}
