package io.microbatch.bench.report;

import java.util.List;

/** Colours that are distinct on white and on black. Stateless. */
final class Palette {

    /** The adaptive connector, and what it decides. */
    static final String OURS = "#0b8f66";

    /** What is not to be passed. */
    static final String BOUND = "#d1392f";

    private static final List<String> OTHERS = List.of(
            "#2f78d0", "#c27400", "#9259c9", "#7d7d7d", "#0097ad", "#b8448c", "#7a8b00", "#5b6ee1", "#8d5a3b",
            "#c9a000");

    private Palette() {}

    /** One for each of what is compared, again from the first where they are used up. */
    static String of(int index) {
        return OTHERS.get(index % OTHERS.size());
    }
}
