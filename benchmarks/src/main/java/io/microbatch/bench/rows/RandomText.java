package io.microbatch.bench.rows;

import java.util.SplittableRandom;

/** Text that compresses badly. Stateless. */
public final class RandomText {

    private RandomText() {}

    /** As many letters and digits. */
    public static String of(SplittableRandom random, int chars) {
        StringBuilder text = new StringBuilder(chars + 16);
        while (text.length() < chars) {
            text.append(Long.toString(random.nextLong(), Character.MAX_RADIX));
        }
        text.setLength(chars);
        return text.toString();
    }
}
