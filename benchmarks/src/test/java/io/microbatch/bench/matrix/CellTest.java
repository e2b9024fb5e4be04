package io.microbatch.bench.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class CellTest {

    private static final InstalledJava OLD = new InstalledJava(17, "17.0.1", Path.of("old"));
    private static final InstalledJava NEW = new InstalledJava(25, "25", Path.of("new"));

    @Test
    void theEndsAreTheOldestOnTheOldestAndTheNewestOnTheNewest() {
        assertThat(Cell.ends(List.of(OLD, NEW)))
                .containsExactly(
                        new Cell(KafkaRelease.V3_9, KafkaRelease.V3_9, OLD),
                        new Cell(KafkaRelease.V4_3, KafkaRelease.V4_3, NEW));
        assertThat(Cell.ends(List.of(OLD))).extracting(Cell::java).containsExactly(OLD, OLD);
    }

    @Test
    void everyReleaseIsTriedOnEveryJavaThatItRunsOnAndTheEndsWithEachOther() {
        List<Cell> all = Cell.all(List.of(OLD, NEW));
        int releases = KafkaRelease.values().length;
        int lines = DebeziumRelease.lines().size();
        assertThat(all).doesNotHaveDuplicates().hasSize(2 * releases - 1 + 2 + lines);
        assertThat(all)
                .contains(new Cell(KafkaRelease.V3_9, KafkaRelease.V4_3, OLD))
                .contains(new Cell(KafkaRelease.V4_3, KafkaRelease.V3_9, OLD))
                .doesNotContain(new Cell(KafkaRelease.V3_9, KafkaRelease.V3_9, NEW));
        for (KafkaRelease release : KafkaRelease.values()) {
            assertThat(all).contains(new Cell(release, release, OLD));
        }
    }

    @Test
    void everyLineOfDebeziumIsTriedWithTheNewestPostgres() {
        KafkaRelease newest = KafkaRelease.newest();
        List<Cell> all = Cell.all(List.of(OLD, NEW));
        for (DebeziumRelease debezium : DebeziumRelease.lines()) {
            assertThat(all).contains(new Cell(newest, newest, OLD, debezium, PostgresRelease.newest()));
        }
        assertThat(all)
                .filteredOn(cell -> cell.postgres() == PostgresRelease.OF_THE_BUILD)
                .extracting(Cell::debezium)
                .containsOnly(DebeziumRelease.OF_THE_BUILD);
    }

    @Test
    void theReleasesOfTheBuildAreThoseOfItsPomAndDebeziumHasThreeLines() throws IOException {
        assertThat(DebeziumRelease.lines())
                .extracting(DebeziumRelease::version)
                .extracting(version -> version.substring(0, version.lastIndexOf('.')))
                .containsExactly("3.4", "3.5", "3.6");
        assertThat(Files.readString(Path.of("../pom.xml")))
                .contains("<debezium.version>" + DebeziumRelease.OF_THE_BUILD.version() + ".Final<")
                .contains("<kafka.version>" + KafkaRelease.newest().version() + "<");
    }

    @Test
    void theReleasesAreOneOfEachLineInOrder() {
        assertThat(KafkaRelease.values())
                .extracting(KafkaRelease::line)
                .containsExactly("3.9", "4.0", "4.1", "4.2", "4.3");
        assertThat(KafkaRelease.oldest()).isEqualTo(KafkaRelease.V3_9);
        assertThat(KafkaRelease.newest()).isEqualTo(KafkaRelease.V4_3);
    }

    @Test
    void thePomOfAReleaseHasNoNameLeft() {
        String filled = KafkaRelease.V3_9.fill("@kafka@ @logging.group@ @logging.artifact@ @logging.version@");
        assertThat(filled)
                .startsWith(KafkaRelease.V3_9.version())
                .contains("reload4j")
                .doesNotContain("@");
    }
}
