package io.microbatch.connect.ack;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AckLedgerTest {

    private static final RecordMetadata SENT = new RecordMetadata(new TopicPartition("t", 0), 0, 0, 0, 0, 0);

    private final AckLedger ledger = new AckLedger(Long.MAX_VALUE, UnaryOperator.identity());

    private static List<EventRecord> events(int count) {
        List<EventRecord> events = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            SourceRecord origin = new SourceRecord(Map.of(), Map.of("o", i), "t", null, null);
            events.add(new EventRecord(origin, 1, 0));
        }
        return events;
    }

    private List<SettledEvent> drain() {
        List<SettledEvent> drained = new ArrayList<>();
        assertThat(ledger.drainSettled(drained::add)).isEqualTo(drained.size());
        return drained;
    }

    @Test
    void returnsNothingAfterAGap() {
        List<EventRecord> events = events(3);
        events.forEach(ledger::append);
        events.get(1).settle(SENT, 0);
        events.get(2).settle(SENT, 0);
        assertThat(drain()).isEmpty();
        assertThat(ledger.depth()).as("without the settled ones behind the gap").isEqualTo(1);

        assertThat(ledger.isEmpty()).isFalse();
        events.get(0).settle(SENT, 0);
        assertThat(ledger.isEmpty()).as("settled but not drained").isFalse();
        assertThat(ledger.depth()).as("settled but not drained").isZero();
        assertThat(drain()).isEqualTo(events);
        assertThat(ledger.isEmpty()).isTrue();
        assertThat(ledger.depth()).isZero();
        assertThat(drain()).isEmpty();
    }

    @Test
    void countsAFilteredEventAsSettled() {
        List<EventRecord> events = events(2);
        events.forEach(ledger::append);
        events.get(0).settle(null, 0);
        events.get(1).settle(SENT, 0);
        assertThat(drain()).isEqualTo(events);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void returnsTheLongestContiguousPrefixInAnyOrderOfSettlement(long seed) {
        Random random = new Random(seed);
        List<EventRecord> events = events(500);
        events.forEach(ledger::append);
        List<EventRecord> acknowledgements = new ArrayList<>(events);
        Collections.shuffle(acknowledgements, random);
        int missing = random.nextInt(5);
        acknowledgements = acknowledgements.subList(0, events.size() - missing);
        boolean[] settled = new boolean[events.size()];
        List<SettledEvent> yielded = new ArrayList<>();
        for (EventRecord event : acknowledgements) {
            event.settle(random.nextInt(4) == 0 ? null : SENT, 0);
            event.settle(SENT, 1);
            settled[events.indexOf(event)] = true;
            if (random.nextBoolean()) {
                yielded.addAll(drain());
                assertThat(yielded).isEqualTo(events.subList(0, prefix(settled)));
            }
        }
        yielded.addAll(drain());
        assertThat(yielded).isEqualTo(events.subList(0, prefix(settled)));
        assertThat(ledger.depth()).isEqualTo(missing);
    }

    private static int prefix(boolean[] settled) {
        int length = 0;
        while (length < settled.length && settled[length]) {
            length++;
        }
        return length;
    }

    @Test
    void countsInARingThatHasWrappedAndGrown() {
        List<EventRecord> events = events(300);
        events.subList(0, 50).forEach(ledger::append);
        events.subList(0, 40).forEach(event -> event.settle(SENT, 0));
        assertThat(drain()).hasSize(40);
        assertThat(ledger.depth()).isEqualTo(10);
        events.subList(50, 90).forEach(ledger::append);
        assertThat(drain()).isEmpty();
        assertThat(ledger.depth()).as("wrapped").isEqualTo(50);
        events.subList(90, 300).forEach(ledger::append);
        assertThat(drain()).isEmpty();
        assertThat(ledger.depth()).as("grown").isEqualTo(260);
        events.subList(41, 300).forEach(event -> event.settle(SENT, 0));
        assertThat(ledger.depth()).isEqualTo(1);
    }

    @Test
    @Timeout(60)
    void returnsEveryEventOnceAndInOrderWhileManyThreadsAcknowledge() throws ExecutionException, InterruptedException {
        int threads = 4;
        List<EventRecord> events = events(20_000);
        List<EventRecord> shuffled = new ArrayList<>(events);
        Collections.shuffle(shuffled, new Random(3));
        events.forEach(ledger::append);
        CountDownLatch begin = new CountDownLatch(1);
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        List<Future<?>> running = new ArrayList<>();
        for (int thread = 0; thread < threads; thread++) {
            int first = thread;
            running.add(pool.submit(() -> {
                begin.await();
                for (int i = first; i < shuffled.size(); i += threads) {
                    shuffled.get(i).settle(i % 5 == 0 ? null : SENT, i + 1);
                }
                return null;
            }));
        }
        begin.countDown();
        List<SettledEvent> yielded = new ArrayList<>();
        while (yielded.size() < events.size() && !running.stream().allMatch(Future::isDone)) {
            yielded.addAll(drain());
        }
        for (Future<?> each : running) {
            each.get();
        }
        yielded.addAll(drain());
        pool.shutdown();
        assertThat(pool.awaitTermination(30, TimeUnit.SECONDS)).isTrue();

        assertThat(yielded).isEqualTo(events);
        assertThat(yielded).allMatch(event -> event.settledNanos() > 0);
        assertThat(yielded).allMatch(event -> event.isDelivered() == (event.metadata() != null));
    }
}
