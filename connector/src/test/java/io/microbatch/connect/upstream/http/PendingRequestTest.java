package io.microbatch.connect.upstream.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.microbatch.connect.ack.EventRecord;
import io.microbatch.connect.pressure.PressureLevel;
import io.microbatch.connect.pressure.ReturnedBatch;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/** The states of a request, its records and its times. */
class PendingRequestTest {

    private static final RecordMetadata PLACE = new RecordMetadata(new TopicPartition("t", 1), 7, 0, 0, 0, 0);

    private final List<String> calls = new ArrayList<>();
    private final PendingRequest.Client client = new PendingRequest.Client() {
        @Override
        public void settled(PendingRequest request) {
            calls.add("settled");
        }

        @Override
        public void notTaken(PendingRequest request, Answer answer, Runnable count) {
            calls.add("not taken " + answer.status());
        }
    };

    private PendingRequest request(int events) {
        List<HttpEvent> sent = new ArrayList<>();
        for (int i = 0; i < events; i++) {
            byte[] value = Integer.toString(i).getBytes(StandardCharsets.UTF_8);
            sent.add(new HttpEvent(null, value, null, null, List.of(new HttpHeader("h", value))));
        }
        return new PendingRequest("t", sent, new Deadline(0, 1_000_000_000), null, client);
    }

    @Test
    void isOfferedOrAnsweredAndNeverBoth() {
        PendingRequest offered = request(1);
        assertThat(offered.offer()).hasSize(1);
        assertThat(offered.answerQueued()).isFalse();
        assertThat(offered.answerOffered()).isTrue();
        assertThat(offered.answerOffered()).isFalse();
        assertThat(offered.isAnswered()).isTrue();

        PendingRequest late = request(1);
        assertThat(late.answerQueued()).isTrue();
        assertThat(late.offer()).isNull();
        assertThat(late.answerOffered()).isFalse();
    }

    @Test
    void isSettledWithItsLastRecordAndARecordOnlyOnce() {
        PendingRequest request = request(2);
        List<HttpEvent> events = request.offer();
        HttpRecord first = new HttpRecord(request, 0, events.get(0), Map.of("http", 0), Map.of("n", 1L));
        HttpRecord second = new HttpRecord(request, 1, events.get(1), Map.of("http", 0), Map.of("n", 1L));
        assertThat(second.headers().lastWithName("h").value())
                .isEqualTo(events.get(1).value());

        second.settled(PLACE);
        second.settled(PLACE);
        assertThat(calls).isEmpty();
        first.settled(null);
        assertThat(calls).containsExactly("settled");
        assertThat(request.places().partition(0)).isNegative();
        assertThat(request.places().offset(1)).isEqualTo(7);
        assertThat(EventRecord.sameOffset(first, second)).isTrue();
    }

    @Test
    void hasLeftWhenItsFirstEventIsInABatch() {
        PendingRequest request = request(2);
        List<EventRecord> visible = new ArrayList<>();
        for (HttpEvent event : request.offer()) {
            HttpRecord record = new HttpRecord(request, visible.size(), event, Map.of("http", 0), Map.of("n", 1L));
            visible.add(new EventRecord(record, 1, 0));
        }
        assertThat(request.hasLeft()).isFalse();
        visible.forEach(request::becomesVisible);
        assertThat(request.hasLeft()).isFalse();
        visible.get(0).joins(new ReturnedBatch(0, PressureLevel.ofNumber(1), 0), 0);
        assertThat(request.hasLeft()).isTrue();
    }

    @Test
    void aTimeoutIsABudget() {
        long second = 1_000_000_000L;
        Deadline deadline = new Deadline(10 * second, second);
        assertThat(deadline.answerByNanos()).isEqualTo(11 * second - 50_000_000);
        assertThat(new Deadline(0, 20_000_000).answerByNanos()).isEqualTo(18_000_000);
        assertThat(deadline.leaveByNanos(budget -> budget * 8 / 10, 300_000_000))
                .isEqualTo(10 * second + 500_000_000);
        assertThat(deadline.leaveByNanos(budget -> budget * 8 / 10, 2 * second)).isEqualTo(10 * second);
    }

    private static RequestHeaders headers(String... lines) throws Refusal {
        return Requests.head("/events/orders", lines).headers();
    }

    @Test
    void readsTheTimeoutOfARequest() throws Refusal {
        assertThat(RequestTimeout.ms(headers(), 30_000)).isEqualTo(30_000);
        assertThat(RequestTimeout.ms(headers("x-request-timeout-ms: 250"), 30_000))
                .isEqualTo(250);
        assertThat(RequestTimeout.ms(headers("x-request-timeout-ms: 1000000000"), 30_000))
                .isEqualTo(30_000);
        assertThat(RequestTimeout.ms(headers("x-envoy-expected-rq-timeout-ms: 9"), 30_000))
                .isEqualTo(9);
        assertThat(RequestTimeout.ms(headers("prefer: respond-async, wait=2"), 30_000))
                .isEqualTo(2_000);
        assertThat(RequestTimeout.ms(headers("prefer: wait=9223372036854775807"), 30_000))
                .isEqualTo(30_000);
        for (String bad : List.of("0", "-1", "abc", "", "99999999999999999999")) {
            assertThatThrownBy(() -> RequestTimeout.ms(headers("x-request-timeout-ms: " + bad), 30_000))
                    .isInstanceOf(Refusal.class);
        }
    }
}
