package io.microbatch.bench.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.bench.http.EventCodec.Place;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EventCodecTest {

    private static final Place PLACE = new Place(0x12ab, 255, 70_000, 99);

    private final EventCodec codec = new EventCodec();

    @ParameterizedTest
    @ValueSource(ints = {EventCodec.MIN_BYTES, 100, 1_024, 100_000})
    void readsWhatItHasWritten(int sizeBytes) {
        byte[] bytes = new byte[sizeBytes + 6];
        codec.write(bytes, 3, sizeBytes, PLACE);

        assertThat(codec.read(Arrays.copyOfRange(bytes, 3, 3 + sizeBytes))).isEqualTo(PLACE);
        assertThat(Arrays.copyOf(bytes, 3)).as("before it").containsOnly(0);
        assertThat(Arrays.copyOfRange(bytes, 3 + sizeBytes, bytes.length))
                .as("behind it")
                .containsOnly(0);
    }

    @Test
    void isAJsonStringThatNeedsNoEscapes() {
        assertThat(new String(event(), StandardCharsets.US_ASCII)).matches("\"http [A-Za-z0-9 _-]+\"");
    }

    @Test
    void noticesEveryAlteredByte() {
        for (int at = 0; at < 100; at++) {
            byte[] altered = event();
            altered[at] ^= 1;

            assertThat(codec.read(altered)).as("byte %d", at).isNull();
        }
    }

    @Test
    void noticesWhatIsNoEvent() {
        assertThat(codec.read(null)).isNull();
        assertThat(codec.read(new byte[0])).isNull();
        assertThat(codec.read(Arrays.copyOf(event(), 99))).isNull();
    }

    @Test
    void writesDifferentFillerIntoEachEvent() {
        byte[] first = new byte[1_024];
        byte[] second = new byte[1_024];
        codec.write(first, 0, first.length, new Place(1, 0, 0, 0));
        codec.write(second, 0, second.length, new Place(1, 0, 1, 0));

        assertThat(Arrays.copyOfRange(first, 100, 1_000)).isNotEqualTo(Arrays.copyOfRange(second, 100, 1_000));
    }

    private byte[] event() {
        byte[] bytes = new byte[100];
        codec.write(bytes, 0, bytes.length, PLACE);
        return bytes;
    }
}
