package io.microbatch.connect.upstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.microbatch.connect.ack.AckLedger;
import io.microbatch.connect.ack.EventRecord;
import io.microbatch.connect.ack.SettledEvent;
import io.microbatch.connect.common.RecordSize;
import io.microbatch.connect.stripe.StripeSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.header.ConnectHeaders;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One thread plays both sides: the callback that delivers acknowledgements while a stripe is full also drains it. */
@Timeout(60)
class IntakeTest {

    private static final long ARRIVAL_NANOS = 4_711;

    private final StripeSet<EventRecord> stripes = new StripeSet<>(1, 4, 1 << 20, () -> 0);
    private final AckLedger ledger = new AckLedger(Long.MAX_VALUE, UnaryOperator.identity());
    private final List<EventRecord> handedOver = new ArrayList<>();
    private final List<List<EventRecord>> drains = new ArrayList<>();
    private final List<Long> visibleAtHandOver = new ArrayList<>();
    private Intake.Backpressure acknowledgeMeanwhile = this::drainAll;
    private UnaryOperator<SourceRecord> standIn = record -> record;
    private final Intake intake = new Intake(
            stripes.writer(0),
            ledger,
            () -> ARRIVAL_NANOS,
            () -> acknowledgeMeanwhile.acknowledgeMeanwhile(),
            (record, waiting) -> standIn.apply(record),
            new Turn(() -> false, () -> false, thrown -> {}));

    private void takeAll(List<SourceRecord> records) throws InterruptedException {
        intake.addAll(records, false, 0, event -> {
            handedOver.add(event);
            visibleAtHandOver.add(stripes.sizeEvents());
        });
    }

    /** The last run may continue. */
    private void takeAndHold(List<SourceRecord> records) throws InterruptedException {
        intake.addAll(records, true, 0, event -> {});
    }

    private void drainAll() {
        List<EventRecord> drained = new ArrayList<>();
        int count = stripes.drain((event, size) -> drained.add(event), 1_000, 1 << 20, EventRecord::sameOffset);
        assertThat(count).isEqualTo(drained.size());
        if (count > 0) {
            drains.add(drained);
        }
    }

    private static SourceRecord at(int offset) {
        return new SourceRecord(Map.of("p", 0), Map.of("o", offset), "t", null, "value");
    }

    private static List<Object> offsets(List<? extends SourceRecord> records) {
        return records.stream()
                .<Object>map(record -> record.sourceOffset().get("o"))
                .toList();
    }

    /** A client of a schema registry may swallow the interruption of the stop. */
    @Test
    void endsAConversionThatIsRetriedWhenTheTaskStops() {
        Intake retrying = new Intake(
                stripes.writer(0),
                ledger,
                () -> ARRIVAL_NANOS,
                () -> {},
                (record, waiting) -> {
                    stripes.writer(0).close();
                    waiting.acknowledgeMeanwhile();
                    throw new AssertionError("converts after the stop");
                },
                new Turn(() -> false, () -> false, thrown -> {}));
        assertThatThrownBy(() -> retrying.add(at(1), 1, ARRIVAL_NANOS)).isInstanceOf(InterruptedException.class);
    }

    @Test
    void addsTheReplacementOfARecordAtThePlaceOfTheRecord() throws InterruptedException {
        SourceRecord deadLetter = new SourceRecord(Map.of("p", 9), Map.of("o", 9), "dead", null, "a longer value");
        standIn = record -> deadLetter;
        SourceRecord record = at(1);
        takeAll(List.of(record));
        intake.add(at(2), 1, ARRIVAL_NANOS);

        EventRecord event = handedOver.get(0);
        assertThat(event.origin()).isSameAs(record);
        assertThat(event.sourceOffset()).isEqualTo(Map.of("o", 1));
        assertThat(event.sourcePartition()).isEqualTo(Map.of("p", 0));
        assertThat(event.topic()).isEqualTo("dead");
        assertThat(event.value()).isEqualTo("a longer value");
        drainAll();
        assertThat(drains.get(0))
                .extracting(EventRecord::sizeBytes)
                .as("both sizes where the upstream's own record is kept, otherwise that of its replacement")
                .containsExactly(
                        RecordSize.estimateBytes(deadLetter) + RecordSize.estimateBytes(record),
                        RecordSize.estimateBytes(deadLetter));
    }

    /** A hosted MirrorMaker would translate the offset of its record into an offset of the dead letter topic. */
    @Test
    void theUpstreamDoesNotGetThePlaceOfADeadLetter() throws InterruptedException {
        SourceRecord refused = at(1);
        standIn = record -> record.equals(refused)
                ? new DeadLetterRecord(
                        Map.of("p", 0), Map.of("o", 1), "dead", null, null, null, "cause", null, new ConnectHeaders())
                : new SourceRecord(Map.of("p", 0), Map.of("o", 2), "renamed", null, "value");
        takeAll(List.of(refused, at(2)));
        drainAll();
        for (EventRecord each : drains.get(0)) {
            each.settle(new RecordMetadata(new TopicPartition(each.topic(), 0), 100, 0, 0, 0, 0), 0);
        }

        List<SettledEvent> settled = new ArrayList<>();
        assertThat(ledger.drainSettled(settled::add)).isEqualTo(2);
        assertThat(settled).allMatch(SettledEvent::isDelivered);
        assertThat(settled.get(0).origin()).isSameAs(refused);
        assertThat(settled.get(0).metadata()).isNull();
        assertThat(settled.get(1).metadata().topic()).isEqualTo("renamed");
    }

    @Test
    void addsEventsInOrderAndAppendsEachToTheLedger() throws InterruptedException {
        List<SourceRecord> records = List.of(at(1), at(2), at(3));
        takeAll(records);
        drainAll();

        assertThat(drains).hasSize(1);
        assertThat(drains.get(0)).extracting(EventRecord::origin).containsExactlyElementsOf(records);
        assertThat(drains.get(0)).allMatch(event -> event.arrivalNanos() == ARRIVAL_NANOS);
        assertThat(drains.get(0)).allMatch(event -> event.sizeBytes() == RecordSize.estimateBytes(event.origin()));
        assertThat(handedOver).isEqualTo(drains.get(0));
        drains.get(0).forEach(event -> event.settle(null, 0));
        List<SettledEvent> settled = new ArrayList<>();
        assertThat(ledger.drainSettled(settled::add)).isEqualTo(3);
        assertThat(settled).isEqualTo(handedOver);
    }

    /** A schema registry that is away is not the silence of the upstream. */
    @Test
    void hearsTheUpstreamWhileAConversionIsRetried() throws InterruptedException {
        AtomicLong now = new AtomicLong();
        Intake retrying = new Intake(
                stripes.writer(0),
                ledger,
                now::get,
                () -> {},
                (record, waiting) -> {
                    long ignored = now.addAndGet(TimeUnit.MINUTES.toNanos(3));
                    waiting.acknowledgeMeanwhile();
                    return record;
                },
                new Turn(() -> false, () -> false, thrown -> {}));
        retrying.addAll(List.of(at(1)), false, 0, event -> {});
        assertThat(retrying.silentMs()).isZero();
    }

    @Test
    void publishesARunOfEqualOffsetsAsOne() throws InterruptedException {
        takeAll(List.of(at(1), at(2), at(2), at(2)));
        // The events that were visible before each addition: none of the run until all of it is staged.
        assertThat(visibleAtHandOver).containsExactly(0L, 1L, 1L, 1L);
        assertThat(stripes.sizeEvents()).isEqualTo(4);
    }

    /** A hosted task may ask for a transaction boundary while a later record of the run waits for its conversion. */
    @Test
    void handsOverAnEventOnlyWhenItsRunIsComplete() throws InterruptedException {
        List<Integer> handedOverAtConversion = new ArrayList<>();
        standIn = record -> {
            handedOverAtConversion.add(handedOver.size());
            return record;
        };
        takeAll(List.of(at(1), at(1), at(2)));
        assertThat(handedOverAtConversion).containsExactly(0, 0, 2);
        assertThat(handedOver).hasSize(3);
    }

    @Test
    void holdsALastRunThatMayContinueUntilItEnds() throws InterruptedException {
        takeAndHold(List.of(at(1), at(2), at(2)));
        assertThat(stripes.sizeEvents()).isEqualTo(1);
        takeAndHold(List.of(at(2)));
        assertThat(stripes.sizeEvents()).isEqualTo(1);
        intake.endRun(0);
        assertThat(stripes.sizeEvents()).isEqualTo(4);

        drainAll();
        takeAndHold(List.of(at(3), at(3)));
        assertThat(stripes.sizeEvents()).isZero();
        takeAll(List.of(at(4)));
        drainAll();
        assertThat(drains).extracting(IntakeTest::offsets).containsExactly(List.of(1, 2, 2, 2), List.of(3, 3, 4));
    }

    @Test
    void splitsAHeldRunThatIsLongerThanTheStripe() throws InterruptedException {
        for (int i = 0; i < 3; i++) {
            takeAndHold(List.of(at(1), at(1)));
        }
        drainAll();
        assertThat(drains).extracting(IntakeTest::offsets).containsExactly(List.of(1, 1, 1, 1));
        intake.endRun(0);
        assertThat(stripes.sizeEvents()).isEqualTo(2);
    }

    @Test
    void dropsARunThatIsReadAgain() throws InterruptedException {
        takeAndHold(List.of(at(1), at(2), at(2)));
        intake.dropRun();
        intake.endRun(0);
        takeAll(List.of(at(2), at(2)));
        drainAll();
        assertThat(drains).extracting(IntakeTest::offsets).containsExactly(List.of(1, 2, 2));
        drains.get(0).forEach(event -> event.settle(null, 0));
        assertThat(ledger.drainSettled(event -> {}))
                .as("dropped events do not block them")
                .isEqualTo(3);
    }

    @Test
    void endsNothingAfterACompleteRun() throws InterruptedException {
        takeAll(List.of(at(1)));
        drainAll();
        intake.endRun(0);
        takeAll(List.of(at(1)));
        assertThat(stripes.sizeEvents()).isEqualTo(1);
    }

    @Test
    void keepsARunTogetherWhenTheStripeFillsInTheMiddleOfIt() throws InterruptedException {
        takeAll(List.of(at(1), at(2), at(3), at(4), at(4), at(4)));
        drainAll();
        assertThat(drains).extracting(IntakeTest::offsets).containsExactly(List.of(1, 2, 3), List.of(4, 4, 4));
    }

    @Test
    void publishesARunThatIsLongerThanTheStripeInPartsAndLosesNothing() throws InterruptedException {
        List<SourceRecord> records = IntStream.range(0, 11)
                .<SourceRecord>mapToObj(i -> new SourceRecord(Map.of("p", 0), Map.of("o", 7), "t", null, i))
                .toList();
        takeAll(records);
        drainAll();

        List<SourceRecord> seen = new ArrayList<>();
        drains.forEach(drain -> drain.forEach(event -> seen.add(event.origin())));
        assertThat(seen).isEqualTo(records);
        assertThat(drains).hasSizeGreaterThan(1);
    }

    @Test
    void deliversAcknowledgementsWhileTheStripeIsFull() throws InterruptedException {
        List<SettledEvent> acknowledged = new ArrayList<>();
        acknowledgeMeanwhile = () -> {
            drainAll();
            drains.get(drains.size() - 1).forEach(event -> event.settle(null, 0));
            assertThat(ledger.drainSettled(acknowledged::add)).isPositive();
        };
        takeAll(IntStream.range(0, 10).mapToObj(IntakeTest::at).toList());
        assertThat(acknowledged.stream()
                        .<Object>map(event -> event.sourceOffset().get("o")))
                .containsExactly(0, 1, 2, 3, 4, 5, 6, 7);
        assertThat(stripes.sizeEvents()).isEqualTo(2);
    }

    @Test
    void interruptsItsReaderWhenTheStripeIsClosed() {
        stripes.writer(0).close();
        assertThatThrownBy(() -> takeAll(List.of(at(1))))
                .isInstanceOf(InterruptedException.class)
                .hasMessageContaining("task stops");
    }

    @Test
    void interruptsItsReaderWhenTheStripeIsClosedWhileItWaits() {
        acknowledgeMeanwhile = stripes.writer(0)::close;
        List<SourceRecord> records =
                IntStream.range(0, 5).mapToObj(IntakeTest::at).toList();
        assertThatThrownBy(() -> takeAll(records)).isInstanceOf(InterruptedException.class);
        drainAll();
        assertThat(offsets(drains.get(0))).containsExactly(0, 1, 2, 3);
    }

    @Test
    void rethrowsAnInterruptionOfItsWait() {
        acknowledgeMeanwhile = () -> Thread.currentThread().interrupt();
        List<SourceRecord> records =
                IntStream.range(0, 5).mapToObj(IntakeTest::at).toList();
        assertThatThrownBy(() -> takeAll(records)).isInstanceOf(InterruptedException.class);
    }

    @Test
    void addsOneEventOfAKnownSize() throws InterruptedException {
        intake.add(at(1), 777, 42);
        intake.signal();
        drainAll();
        assertThat(drains.get(0).get(0).sizeBytes()).isEqualTo(777);
        assertThat(drains.get(0).get(0).arrivalNanos()).isEqualTo(42);
    }

    @Test
    void addsARunWithItsOwnArrivalAndMarksIt() throws InterruptedException {
        intake.addAll(List.of(at(1), at(1)), 42, 77, handedOver::add);
        assertThat(stripes.leaveByNanos(100)).isEqualTo(77);
        intake.addAll(List.of(at(1)), 43, 78, event -> {});
        assertThat(stripes.sizeEvents())
                .as("the run does not continue, and is visible")
                .isEqualTo(3);
        drainAll();
        assertThat(handedOver).isEqualTo(drains.get(0).subList(0, 2));
        assertThat(drains.get(0)).extracting(EventRecord::arrivalNanos).containsExactly(42L, 42L, 43L);
        assertThat(stripes.leaveByNanos(100)).as("with the run").isEqualTo(100);
    }

    @Test
    void marksWhatWasPublishedBeforeAndNotWhatFollows() throws InterruptedException {
        takeAll(List.of(at(1)));
        assertThat(stripes.leaveByNanos(100)).isEqualTo(100);
        intake.leaveBy(50);
        assertThat(stripes.leaveByNanos(100)).isEqualTo(50);
        drainAll();
        takeAll(List.of(at(2)));
        assertThat(stripes.leaveByNanos(100)).isEqualTo(100);
    }

    /** Its client is told that all of it is in one transaction. */
    @Test
    void refusesARequestThatAStripeDoesNotHoldAsAWhole() throws InterruptedException {
        List<SourceRecord> tooMany = IntStream.range(0, 5).mapToObj(i -> at(1)).toList();
        assertThatThrownBy(() -> intake.addAll(tooMany, 42, 77, handedOver::add))
                .isInstanceOf(ConnectException.class)
                .hasMessageContaining("5 records");
        List<SourceRecord> tooLarge = List.of(large(600_000), large(600_000));
        assertThatThrownBy(() -> intake.addAll(tooLarge, 42, 77, handedOver::add))
                .isInstanceOf(ConnectException.class);
        assertThat(handedOver).isEmpty();
        assertThat(intake.isHolding()).isFalse();
        assertThat(stripes.sizeEvents()).isZero();

        intake.addAll(List.of(large(400_000), large(400_000)), 42, 77, event -> {});
        drainAll();
        intake.addAll(List.of(large(1 << 21)), 42, 77, event -> {});
        drainAll();
        assertThat(drains).extracting(List::size).containsExactly(2, 1);
    }

    @Test
    void refusesARequestOfSeveralOffsets() {
        assertThatThrownBy(() -> intake.addAll(List.of(at(1), at(2)), 42, 77, event -> {}))
                .isInstanceOf(ConnectException.class);
        assertThat(stripes.sizeEvents()).isZero();
    }

    private static SourceRecord large(int bytes) {
        return new SourceRecord(Map.of("p", 0), Map.of("o", 1), "t", null, new byte[bytes]);
    }

    @Test
    void countsTheUpstreamsOwnRecordTooWhenAnotherReplacesIt() throws InterruptedException {
        standIn = record -> new SourceRecord(record.sourcePartition(), record.sourceOffset(), "t", null, new byte[100]);
        SourceRecord large = new SourceRecord(Map.of("p", 0), Map.of("o", 1), "t", null, new byte[10_000]);
        takeAll(List.of(large));
        drainAll();
        assertThat(drains.get(0).get(0).sizeBytes()).isGreaterThan(10_100);
    }

    /** A signal that says nothing of the time does not wake a task that waits for its next transaction. */
    @Test
    void announcesNoPauseThatHasPassed() throws InterruptedException {
        long before = ARRIVAL_NANOS - 2;
        intake.addAll(List.of(at(1)), false, ARRIVAL_NANOS - 1, event -> {});
        assertThat(stripes.pausedUntilNanos(before)).isEqualTo(before);
        intake.addAll(List.of(at(2)), false, ARRIVAL_NANOS + 5, event -> {});
        assertThat(stripes.pausedUntilNanos(before)).isEqualTo(ARRIVAL_NANOS + 5);
        intake.addAll(List.of(at(3)), true, ARRIVAL_NANOS + 5, event -> {});
        intake.endRun(ARRIVAL_NANOS + 6);
        assertThat(stripes.pausedUntilNanos(before)).as("with the end of a run").isEqualTo(ARRIVAL_NANOS + 6);
    }
}
