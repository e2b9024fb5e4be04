package io.microbatch.connect.upstream.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.ack.EventRecord;
import io.microbatch.connect.ack.TaskPace;
import io.microbatch.connect.config.MicrobatchConfig;
import io.microbatch.connect.metrics.UpstreamMetric;
import io.microbatch.connect.stripe.StripeSet;
import io.microbatch.connect.upstream.Intake;
import io.microbatch.connect.upstream.PlainIntake;
import io.microbatch.connect.upstream.synthetic.StoredOffsets;
import io.microbatch.testbed.Await;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the reader does with keyed requests, over sockets. The test plays the task and Connect. */
@Timeout(120)
class HttpReaderTest {

    private static final String KEY = "Idempotency-Key: ";

    private final StripeSet<EventRecord> stripes = new StripeSet<>(1, 1_024, 1 << 24, () -> 0);
    private final Intake intake = PlainIntake.into(stripes);
    private final List<RawClient> clients = new ArrayList<>();
    private HttpReader reader;
    private Map<String, UpstreamMetric.Figure> figures;

    private void start(Map<String, String> settings) {
        Map<String, String> config = new HashMap<>();
        config.put("upstream.type", "http");
        config.put("upstream.http.topics", RunningServer.TOPIC);
        config.put("upstream.http.port", "0");
        config.put("upstream.http.stall.ms", "600000");
        settings.forEach((key, value) -> config.put("upstream.http." + key, value));
        reader = new HttpReader(
                new MicrobatchConfig(config).http(),
                new HttpIdentity("shop", 0, 1),
                new StoredOffsets(new HashMap<>()),
                new TaskPace(System.nanoTime()),
                budget -> budget,
                System::nanoTime);
        figures = new HashMap<>();
        reader.figures().forEach(figure -> figures.put(figure.metric().label() + figure.tagValue(), figure));
        reader.start();
    }

    @AfterEach
    void stop() {
        clients.forEach(RawClient::close);
        reader.stop();
    }

    private long figure(String name) {
        return (long) figures.get(name).value().getAsDouble();
    }

    private RawClient client() {
        RawClient client = new RawClient((int) figure("http-port"));
        clients.add(client);
        return client;
    }

    /** Lets the reader take requests until it has handed over so many events. */
    private List<EventRecord> fetch(int events) throws InterruptedException {
        while (stripes.sizeEvents() < events) {
            reader.fetch(intake);
        }
        List<EventRecord> taken = new ArrayList<>();
        int ignored = stripes.drain((event, size) -> taken.add(event), 10_000, 1 << 24, EventRecord::sameOffset);
        return taken;
    }

    private static void settle(EventRecord event) {
        event.settle(new RecordMetadata(new TopicPartition(RunningServer.TOPIC, 0), 7, 0, 0, 0, 0), 0);
    }

    /** The answer of a request that the reader does not hand over. */
    private RawClient.Response refused(RawClient client) throws InterruptedException {
        double before = answers();
        while (answers() == before) {
            reader.fetch(intake);
        }
        return client.response();
    }

    private double answers() {
        return figures.entrySet().stream()
                .filter(figure -> figure.getKey().startsWith("http-request-total"))
                .mapToDouble(figure -> figure.getValue().value().getAsDouble())
                .sum();
    }

    @Test
    void countsARepeatOnlyIfItIsAnsweredAsOne() throws InterruptedException {
        start(Map.of());
        RawClient client = client();
        client.post("x", KEY + 1);
        EventRecord first = fetch(1).get(0);

        RawClient late = client();
        late.post("x", KEY + 1, "X-Request-Timeout-Ms: 100");
        assertThat(late.response().body()).contains("50305");
        reader.fetch(intake);
        late.post("x", KEY + 1);
        assertThat(refused(late).status()).isEqualTo(409);
        assertThat(figure("http-refused-totalconflict")).isEqualTo(1);
        assertThat(figure("http-refused-totallate")).isEqualTo(1);

        settle(first);
        assertThat(client.response().status()).isEqualTo(200);
        late.post("x", KEY + 1, "X-Request-Timeout-Ms: 100");
        assertThat(late.response().body()).contains("50305");
        reader.fetch(intake);
        late.post("x", KEY + 1);
        RawClient.Response replayed = refused(late);
        assertThat(replayed.status()).isEqualTo(200);
        assertThat(replayed.fields()).containsEntry("idempotent-replayed", "true");
        assertThat(figure("http-replayed-total")).isEqualTo(1);
    }

    @Test
    void refusesAKeyForWhichItWouldForgetARequestOnItsWay() throws InterruptedException {
        start(Map.of(
                "idempotency.keys", "256",
                "max.connections", "2000",
                "max.connections.per.address", "2000",
                "max.inflight.requests", "2000"));
        for (int i = 0; i < 512; i++) {
            client().post("x", KEY + i);
        }
        List<EventRecord> events = fetch(512);
        RawClient client = client();
        client.post("x", KEY + 512);
        RawClient.Response full = refused(client);
        assertThat(full.status()).isEqualTo(503);
        assertThat(full.body()).contains("50301");
        assertThat(full.fields()).containsKey("retry-after");
        assertThat(figure("http-refused-totalfull")).isEqualTo(1);

        events.forEach(HttpReaderTest::settle);
        clients.subList(0, 512)
                .forEach(each -> assertThat(each.response().status()).isEqualTo(200));
        client.post("x", KEY + 512);
        settle(fetch(1).get(0));
        assertThat(client.response().status()).isEqualTo(200);
    }

    @Test
    void aRequestThatWasDroppedIsWrittenWhenItIsRepeated() throws InterruptedException {
        start(Map.of());
        RawClient client = client();
        client.post("x", KEY + 1);
        fetch(1).get(0).settle(null, 0);
        assertThat(client.response().status()).isEqualTo(422);
        client.post("x", KEY + 1);
        EventRecord again = fetch(1).get(0);
        settle(again);
        assertThat(client.response().status()).isEqualTo(200);
        Await.until("an answer", RunningServer.PATIENCE, () -> figure("http-inflight-requests") == 0, () -> "none");
        assertThat(figure("http-replayed-total")).isZero();
    }
}
