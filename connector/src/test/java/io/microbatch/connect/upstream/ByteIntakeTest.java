package io.microbatch.connect.upstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.microbatch.connect.ack.AckLedger;
import io.microbatch.connect.ack.EventRun;
import io.microbatch.connect.ack.RunPlace;
import io.microbatch.connect.bulk.BulkWriter;
import io.microbatch.connect.stripe.ByteStripeSet;
import io.microbatch.connect.stripe.RunSink;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One thread plays both sides: what lets acknowledgements through while a stripe is full drains it too. */
@Timeout(60)
class ByteIntakeTest {

    private static final RunPlace PLACE = new RunPlace(Map.of("p", 0), "t", null, null);
    private static final RecordMetadata METADATA = new RecordMetadata(new TopicPartition("t", 0), 0, 0, 0, 0, 0);

    private final ByteStripeSet<EventRun> stripes = new ByteStripeSet<>(1, 64, 32, 8, () -> 0);
    private final AckLedger<EventRun> ledger = new AckLedger<>();
    private final List<EventRun> drained = new ArrayList<>();
    private final List<Byte> bytes = new ArrayList<>();
    private Intake.Backpressure acknowledgeMeanwhile = this::drain;
    private final ByteIntake intake =
            new ByteIntake(stripes.writer(0), ledger, () -> acknowledgeMeanwhile.acknowledgeMeanwhile());

    private void drain() {
        int ignored = stripes.drain(
                new RunSink<>() {
                    @Override
                    public void take(EventRun run, byte[] source, int from, int sizeBytes, int events) {
                        drained.add(run);
                        assertThat(run.events()).isEqualTo(events);
                        for (int i = from; i < from + sizeBytes; i++) {
                            bytes.add(source[i]);
                        }
                    }

                    @Override
                    public void end() {}
                },
                100,
                1_000);
    }

    private void publish(long offset) {
        intake.publish(PLACE, Map.of("o", offset), offset, offset);
    }

    @Test
    void framesEachEventOfARunAndPublishesThemTogether() throws InterruptedException {
        byte[] source = {9, 1, 2, 3, 9};
        assertThat(intake.add(source, 1, 3)).isTrue();
        assertThat(intake.add(source, 1, 1)).isTrue();
        assertThat(intake.runEvents()).isEqualTo(2);
        drain();
        assertThat(drained).isEmpty();
        publish(7);
        publish(8);
        drain();
        assertThat(bytes).containsExactly((byte) 3, (byte) 1, (byte) 2, (byte) 3, (byte) 1, (byte) 1);
        assertThat(drained).singleElement().satisfies(run -> {
            assertThat(run.sourceOffset()).isEqualTo(Map.of("o", 7L));
            assertThat(run.arrivalNanos()).isEqualTo(7);
        });
    }

    @Test
    void takesABlockThatIsFramedAlready() throws InterruptedException {
        byte[] frames = new byte[10];
        int end = BulkWriter.of(0).writeFrame(frames, 0, new byte[] {5, 6}, 0, 2);
        end = BulkWriter.of(0).writeFrame(frames, end, new byte[] {7}, 0, 1);
        assertThat(intake.addAll(frames, 0, end, 2)).isTrue();
        publish(2);
        drain();
        assertThat(bytes).containsExactly((byte) 2, (byte) 5, (byte) 6, (byte) 1, (byte) 7);
    }

    @Test
    void saysWhenARunIsAsLongAsARecordAndRefusesALongerEvent() throws InterruptedException {
        assertThat(intake.add(new byte[20], 0, 20)).isTrue();
        assertThat(intake.add(new byte[11], 0, 11)).isFalse();
        assertThat(intake.addAll(new byte[12], 0, 12, 1)).isFalse();
        assertThat(intake.add(new byte[10], 0, 10)).isTrue();
        assertThat(intake.runEvents()).isEqualTo(2);
        publish(1);
        assertThatThrownBy(() -> intake.add(new byte[32], 0, 32)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void waitsForRoomAndLetsAcknowledgementsThrough() throws InterruptedException {
        for (int i = 0; i < 50; i++) {
            assertThat(intake.add(new byte[] {(byte) i, 0, 0, 0, 0, 0, 0}, 0, 7))
                    .isTrue();
            publish(i);
        }
        drain();
        assertThat(drained).hasSize(50);
        assertThat(stripes.progress(0).fullTotal()).isPositive();
        for (int i = 0; i < 50; i++) {
            assertThat(bytes.get(8 * i + 1)).isEqualTo((byte) i);
        }
    }

    @Test
    void endsWhenTheStripeIsClosed() throws InterruptedException {
        stripes.close();
        assertThatThrownBy(() -> intake.add(new byte[1], 0, 1)).isInstanceOf(InterruptedException.class);
    }

    @Test
    void yieldsAPrefixWithoutAGapAndCountsEvents() throws InterruptedException {
        for (int i = 1; i <= 3; i++) {
            for (int event = 0; event < i; event++) {
                assertThat(intake.add(new byte[1], 0, 1)).isTrue();
            }
            publish(i);
        }
        drain();
        List<EventRun> settled = new ArrayList<>();
        drained.get(1).settle(METADATA, 1);
        assertThat(ledger.drainSettled(settled::add)).isZero();
        assertThat(ledger.depth()).isEqualTo(6);
        drained.get(0).settle(null, 2);
        assertThat(ledger.drainSettled(settled::add)).isEqualTo(2);
        assertThat(settled).containsExactly(drained.get(0), drained.get(1));
        assertThat(ledger.depth()).isEqualTo(3);
    }
}
