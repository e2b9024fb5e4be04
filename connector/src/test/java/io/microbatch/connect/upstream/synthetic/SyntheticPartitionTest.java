package io.microbatch.connect.upstream.synthetic;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.config.MicrobatchConfig;
import io.microbatch.connect.config.SyntheticConfig;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.api.Test;

class SyntheticPartitionTest {

    private static final long MS = 1_000_000;

    private static SyntheticConfig config(String... more) {
        Map<String, String> config = new HashMap<>(Map.of(
                "upstream.type", "synthetic",
                "upstream.synthetic.topic", "events",
                "upstream.synthetic.partitions", "4",
                "upstream.synthetic.rate", "1000",
                "upstream.synthetic.seed", "7",
                "upstream.synthetic.size.bytes", "64-1024"));
        for (int i = 0; i < more.length; i += 2) {
            config.put("upstream.synthetic." + more[i], more[i + 1]);
        }
        return new MicrobatchConfig(config).synthetic();
    }

    @Test
    void takesTurnsWithTheOtherPartitions() {
        SyntheticPartition partition = new SyntheticPartition(config(), 2, 0);
        assertThat(partition.dueNanos()).isEqualTo(2 * MS);
        partition.next(0);
        assertThat(partition.dueNanos()).isEqualTo(6 * MS);
    }

    @Test
    void startsTheCurveAgainWhereItContinuesUnlessTheCurveHasAStart() {
        assertThat(new SyntheticPartition(config(), 2, 3).dueNanos()).isEqualTo(2 * MS);
        assertThat(new SyntheticPartition(config("start.epoch.ms", "1"), 2, 3).dueNanos())
                .isEqualTo(14 * MS);
    }

    @Test
    void endsAfterItsLastEvent() {
        SyntheticConfig two = config("events.per.partition", "2");
        SyntheticPartition partition = new SyntheticPartition(two, 0, 1);
        assertThat(partition.exhausted()).isFalse();
        partition.next(0);
        assertThat(partition.exhausted()).isTrue();
        assertThat(new SyntheticPartition(config(), 0, 2).exhausted()).isFalse();
    }

    @Test
    void hasAKeyOfItsNumberAndTheSizesOfItsSeed() {
        SyntheticPartition partition = new SyntheticPartition(config(), 0x01020304, 0);
        List<SourceRecord> events =
                Stream.generate(() -> partition.next(5 * MS)).limit(4).toList();

        assertThat((byte[]) events.get(0).key()).containsExactly(1, 2, 3, 4);
        assertThat(events.get(0).timestamp()).isEqualTo(5);
        assertThat(events.get(3).sourceOffset()).isEqualTo(Map.of("events", 4L));
        assertThat(events).extracting(event -> ((byte[]) event.value()).length).containsExactly(69, 362, 883, 121);
    }
}
