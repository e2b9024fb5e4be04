package io.microbatch.connect.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class MemoryOrderingTableTest {

    private static final Path STRIPES = Path.of("src", "main", "java", "io", "microbatch", "connect", "stripe");
    private static final Pattern SHARED =
            Pattern.compile("RingAccess[.]field\\(MethodHandles[.]lookup\\(\\), \"(\\w+)\"");
    private static final Pattern NAME = Pattern.compile("`(\\w+)(?:\\[i])?`");

    @Test
    void hasEachFieldThatTwoThreadsShare() throws IOException {
        Set<String> shared = new TreeSet<>();
        try (Stream<Path> files = Files.list(STRIPES)) {
            for (Path file : files.toList()) {
                shared.addAll(groups(SHARED, Files.readString(file)));
            }
        }
        assertThat(shared).contains("tail", "head");

        List<String> page = Files.readAllLines(Path.of("..", "docs", "architecture.md"));
        Set<String> rows = page.stream()
                .skip(page.indexOf("## Memory ordering"))
                .filter(line -> line.startsWith("| `"))
                .map(line -> line.substring(0, line.indexOf('|', 1)))
                .flatMap(cell -> groups(NAME, cell).stream())
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(rows).containsAll(shared);
    }

    private static List<String> groups(Pattern pattern, String text) {
        return pattern.matcher(text).results().map(result -> result.group(1)).toList();
    }
}
