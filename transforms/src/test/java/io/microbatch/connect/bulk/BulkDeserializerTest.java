package io.microbatch.connect.bulk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.Map;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.Deserializer;
import org.junit.jupiter.api.Test;

/** Tests both methods that a consumer may call. */
class BulkDeserializerTest {

    private static final Golden GOLDEN = Golden.of("v1-full");

    @Test
    void readsEvents() {
        BulkDeserializer deserializer = new BulkDeserializer();
        deserializer.configure(Map.of("group.id", "of the consumer"), false);
        assertThat(deserializer.deserialize("topic", GOLDEN.record())).isEqualTo(GOLDEN.events());
        assertThat(deserializer.deserialize("topic", new RecordHeaders(), ByteBuffer.wrap(GOLDEN.record())))
                .isEqualTo(GOLDEN.events());
    }

    @Test
    void readsIndependentCursors() {
        BulkCursorDeserializer deserializer = new BulkCursorDeserializer();
        BulkReader first = deserializer.deserialize("topic", GOLDEN.record());
        BulkReader second = deserializer.deserialize("topic", new RecordHeaders(), ByteBuffer.wrap(GOLDEN.record()));
        assertThat(first.next()).isTrue();
        assertThat(second.toList()).isEqualTo(GOLDEN.events());
        assertThat(first.event()).isEqualTo(GOLDEN.events().get(0));
        assertThat(first.remaining()).isEqualTo(GOLDEN.events().size() - 1);
    }

    @Test
    void doesNotCopyTheBytesThatTheConsumerFetched() {
        byte[] fetched = new byte[GOLDEN.record().length + 20];
        System.arraycopy(GOLDEN.record(), 0, fetched, 10, GOLDEN.record().length);
        ByteBuffer value = ByteBuffer.wrap(fetched, 10, GOLDEN.record().length);
        BulkReader reader = new BulkCursorDeserializer().deserialize("topic", new RecordHeaders(), value);
        assertThat(reader.array()).isSameAs(fetched);
        assertThat(reader.toList()).isEqualTo(GOLDEN.events());
    }

    @Test
    void returnsNullForNull() {
        for (Deserializer<?> deserializer :
                new Deserializer<?>[] {new BulkDeserializer(), new BulkCursorDeserializer()}) {
            assertThat(deserializer.deserialize("topic", (byte[]) null)).isNull();
            assertThat(deserializer.deserialize("topic", new RecordHeaders(), (ByteBuffer) null))
                    .isNull();
        }
    }

    @Test
    void keepsItsLimits() {
        for (Deserializer<?> deserializer :
                new Deserializer<?>[] {new BulkDeserializer(), new BulkCursorDeserializer()}) {
            deserializer.configure(Map.of(BulkReaderConfig.MAX_EVENTS_CONFIG, "5"), false);
            assertThatThrownBy(() -> deserializer.deserialize("topic", GOLDEN.record()))
                    .isInstanceOf(SerializationException.class)
                    .hasMessageContaining("the limit is 5");
            deserializer.configure(Map.of(BulkReaderConfig.MAX_RECORD_BYTES_CONFIG, 50), false);
            assertThatThrownBy(() -> deserializer.deserialize("topic", GOLDEN.record()))
                    .isInstanceOf(SerializationException.class)
                    .hasMessageContaining("the limit is 50");
        }
    }

    @Test
    void namesTheKeyOfAnInvalidSetting() {
        BulkDeserializer deserializer = new BulkDeserializer();
        assertThatThrownBy(() -> deserializer.configure(Map.of(BulkReaderConfig.MAX_EVENTS_CONFIG, "0"), false))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(BulkReaderConfig.MAX_EVENTS_CONFIG);
    }
}
