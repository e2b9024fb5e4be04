package io.microbatch.connect.bulk;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Compares sizes with the written bytes, for every number of bits. */
class VarintsTest {

    @Test
    void computesTheSizeOfTheWrittenBytes() {
        byte[] target = new byte[Varints.MAX_LONG_BYTES];
        for (int bits = 0; bits <= Long.SIZE; bits++) {
            long largest = bits == 0 ? 0 : -1L >>> (Long.SIZE - bits);
            for (long number : new long[] {largest, largest + 1}) {
                assertThat(Varints.size(number)).isEqualTo(Varints.write(number, target, 0));
                assertThat(Varints.size((int) number)).isEqualTo(Varints.write((int) number, target, 0));
            }
        }
    }

    @Test
    void zigzagsNumbersNearZeroToSmallOnesAndBack() {
        long[] numbers = {0, -1, 1, -2, 2, Long.MAX_VALUE, Long.MIN_VALUE};
        long[] zigzags = {0, 1, 2, 3, 4, -2, -1};
        for (int i = 0; i < numbers.length; i++) {
            assertThat(Varints.zigzag(numbers[i])).isEqualTo(zigzags[i]);
            assertThat(Varints.unzigzag(zigzags[i])).isEqualTo(numbers[i]);
        }
    }
}
