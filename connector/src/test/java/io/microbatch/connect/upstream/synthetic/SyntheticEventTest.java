package io.microbatch.connect.upstream.synthetic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SyntheticEventTest {

    private final SyntheticEvent event = new SyntheticEvent();

    @ParameterizedTest
    @ValueSource(ints = {SyntheticEvent.HEADER_BYTES, 41, 100, 1_023})
    void isDecodedAsItWasEncoded(int sizeBytes) {
        for (boolean compressible : new boolean[] {true, false}) {
            byte[] bytes = event.encode(-7, 3, 1L << 40, 99, sizeBytes, compressible);
            assertThat(bytes).hasSize(sizeBytes);
            assertThat(event.decode(bytes)).isEqualTo(new SyntheticEvent.Header(-7, 3, 1L << 40, 99));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void detectsEveryFlippedBit(boolean compressible) {
        byte[] bytes = event.encode(1, 2, 3, 4, 90, compressible);
        for (int bit = 0; bit < bytes.length * 8; bit++) {
            bytes[bit / 8] ^= (byte) (1 << bit % 8);
            assertThatThrownBy(() -> event.decode(bytes))
                    .as("bit %s", bit)
                    .isInstanceOf(IllegalArgumentException.class);
            bytes[bit / 8] ^= (byte) (1 << bit % 8);
        }
        assertThat(event.decode(bytes).sequence()).isEqualTo(3);
    }

    /** Two builds that are compared, and a consumer that checks an older run, rely on these bytes. */
    @Test
    void hasTheSameBytesInEveryBuild() {
        assertThat(List.of(
                        checksumOf(event.encode(1, 2, 3, 4, 103, false)),
                        checksumOf(event.encode(1, 2, 3, 4, 303, true)),
                        checksumOf(event.encode(-9, 70_000, 1L << 41, 4, 110, false))))
                .containsExactly(900_908_022L, 1_697_322_786L, 1_166_909_028L);
    }

    private static long checksumOf(byte[] bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        return crc.getValue();
    }

    @Test
    void changesThePlaceAndTimeOfAnEventInABuffer() {
        byte[] many = new byte[300];
        for (int i = 0; i < 3; i++) {
            System.arraycopy(event.encode(5, 1, i, 7, 100, false), 0, many, i * 100, 100);
        }
        event.restamp(many, 100, 1L << 33, 8);

        assertThat(event.decode(Arrays.copyOfRange(many, 0, 100))).isEqualTo(new SyntheticEvent.Header(5, 1, 0, 7));
        assertThat(event.decode(Arrays.copyOfRange(many, 100, 200)))
                .isEqualTo(new SyntheticEvent.Header(5, 1, 1L << 33, 8));
        assertThat(event.decode(Arrays.copyOfRange(many, 200, 300))).isEqualTo(new SyntheticEvent.Header(5, 1, 2, 7));
    }

    @Test
    void detectsAMissingTailAndAnAddedOne() {
        byte[] bytes = event.encode(1, 2, 3, 4, 90, false);
        assertThatThrownBy(() -> event.decode(Arrays.copyOf(bytes, 89))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> event.decode(Arrays.copyOf(bytes, 91))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> event.decode(new byte[39])).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> event.decode(null)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void fillsEventsOfDifferentPlacesDifferently() {
        Set<Long> mixed = new HashSet<>();
        for (int partition = 0; partition < 10; partition++) {
            for (long sequence = 0; sequence < 1_000; sequence++) {
                mixed.add(SyntheticEvent.mix(1, partition, sequence));
            }
        }
        assertThat(mixed).hasSize(10_000);
    }
}
