package io.microbatch.bench.regress;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The command that made a stored result. Stateless; any thread. */
final class StoredCommand {

    /** Options that name files of the run, which a repetition has elsewhere. */
    private static final List<String> FILES = List.of("--json", "--logs");

    private StoredCommand() {}

    /**
     * The words of the command that a result names, without the files that it wrote.
     *
     * @param result a result as {@code --json} writes it
     * @param usual the usual command of this benchmark
     * @return empty if the result names no command, or the one of another benchmark
     */
    static Optional<List<String>> of(JsonNode result, List<String> usual) {
        List<String> words = new ArrayList<>(
                List.of(result.path("environment").path("command").asText().split(" ")));
        List<String> name =
                usual.stream().takeWhile(word -> !word.startsWith("--")).toList();
        if (words.size() < name.size() || !words.subList(0, name.size()).equals(name)) {
            return Optional.empty();
        }
        for (String option : FILES) {
            words.removeIf(word -> word.startsWith(option + "="));
            int at = words.indexOf(option);
            if (at >= 0) {
                words.subList(at, Math.min(at + 2, words.size())).clear();
            }
        }
        return Optional.of(List.copyOf(words));
    }
}
