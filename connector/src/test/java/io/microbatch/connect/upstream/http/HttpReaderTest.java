package io.microbatch.connect.upstream.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.microbatch.connect.ack.EventRecord;
import io.microbatch.connect.ack.TaskPace;
import io.microbatch.connect.config.MicrobatchConfig;
import io.microbatch.connect.metrics.UpstreamMetric;
import io.microbatch.connect.stripe.StripeSet;
import io.microbatch.connect.upstream.Intake;
import io.microbatch.connect.upstream.PlainIntake;
import io.microbatch.connect.upstream.synthetic.StoredOffsets;
import io.microbatch.testbed.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import javax.net.ssl.SSLContext;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the reader does with keyed requests, over sockets. The test plays the task and Connect. */
@Timeout(120)
class HttpReaderTest {

    private static final String KEY = "Idempotency-Key: ";

    private final StripeSet<EventRecord> stripes = new StripeSet<>(1, 1_024, 1 << 24, () -> 0);
    private final Intake intake = PlainIntake.into(stripes);
    private final List<RawClient> clients = new ArrayList<>();
    private final TaskPace pace = new TaskPace(System.nanoTime());
    private LongSupplier clock = System::nanoTime;
    private boolean answersSoon;
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
                answersSoon,
                new HttpIdentity("shop", 0, 1),
                new StoredOffsets(new HashMap<>()),
                pace,
                budget -> budget,
                clock);
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

    /** Whether the next event is marked to leave immediately. Settles it. */
    private boolean leavesNow() throws InterruptedException {
        while (stripes.sizeEvents() == 0) {
            reader.fetch(intake);
        }
        long now = clock.getAsLong();
        boolean leavesNow = stripes.leaveByNanos(now + TimeUnit.HOURS.toNanos(1)) - now <= 0;
        settle(fetch(1).get(0));
        return leavesNow;
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
    void aBatchWaitsForNothingWhileRequestsAreTurnedAway() throws InterruptedException {
        long now = System.nanoTime();
        // It stands still, so that nobody has been silent for long.
        clock = () -> now;
        start(Map.of("max.inflight.requests", "2"));
        List<RawClient> three = List.of(client(), client(), client());
        three.get(0).post("x");
        assertThat(leavesNow()).as("one client, which waits").isTrue();
        three.get(0).response();
        three.get(1).post("x");
        assertThat(leavesNow()).as("the first client may send again").isFalse();
        three.get(1).response();

        three.get(0).post("x");
        three.get(1).post("x");
        List<EventRecord> both = fetch(2);
        three.get(2).post("x");
        assertThat(three.get(2).response().status()).isEqualTo(503);
        both.forEach(HttpReaderTest::settle);
        three.subList(0, 2).forEach(each -> assertThat(each.response().status()).isEqualTo(200));
        three.get(2).post("x");
        assertThat(leavesNow()).as("there was no room a moment ago").isTrue();
    }

    /** A client that has sent something a moment ago may send again, so that the others wait for more events. */
    private List<RawClient> withOneThatMaySend() throws InterruptedException {
        long now = System.nanoTime();
        clock = () -> now;
        start(Map.of());
        List<RawClient> four = List.of(client(), client(), client(), client());
        four.get(0).post("x");
        assertThat(leavesNow()).isTrue();
        assertThat(four.get(0).response().status()).isEqualTo(200);
        return four.subList(1, 4);
    }

    private boolean isMarkedToLeave() {
        long now = clock.getAsLong();
        return stripes.leaveByNanos(now + TimeUnit.HOURS.toNanos(1)) - now <= 0;
    }

    private void handOver(RawClient client, int events) throws InterruptedException {
        client.post("x");
        while (stripes.sizeEvents() < events) {
            reader.fetch(intake);
        }
    }

    @Test
    void requestsLeaveWhenThoseBeforeThemAreSettled() throws InterruptedException {
        answersSoon = true;
        pace.atLeastOnce();
        List<RawClient> clients = withOneThatMaySend();
        handOver(clients.get(0), 1);
        assertThat(isMarkedToLeave()).as("nothing is on its way").isTrue();
        EventRecord first = fetch(1).get(0);
        handOver(clients.get(1), 1);
        handOver(clients.get(2), 2);
        assertThat(isMarkedToLeave()).as("the first one is on its way").isFalse();
        settle(first);
        // No request comes.
        reader.fetch(intake);
        assertThat(isMarkedToLeave()).as("the first one is settled").isTrue();
        fetch(2).forEach(HttpReaderTest::settle);
        for (RawClient each : clients) {
            assertThat(each.response().status()).isEqualTo(200);
        }
    }

    @Test
    void requestsWaitForMoreWhereABatchIsATransactionOrAnswersNeedNotComeSoon() throws InterruptedException {
        answersSoon = true;
        List<RawClient> clients = withOneThatMaySend();
        handOver(clients.get(0), 1);
        assertThat(isMarkedToLeave()).isFalse();
        settle(fetch(1).get(0));
        reader.stop();
        answersSoon = false;
        pace.atLeastOnce();
        clients = withOneThatMaySend();
        handOver(clients.get(0), 1);
        assertThat(isMarkedToLeave()).isFalse();
        settle(fetch(1).get(0));
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

    /** As it does while a stripe is full: acknowledgements pass, and nothing is fetched. */
    @Test
    void usesARenewedCertificateAlsoWhileNothingIsFetched(@TempDir Path directory)
            throws IOException, InterruptedException, GeneralSecurityException {
        Path keystore = Certificates.newKey(directory.resolve("keystore.p12"), "CN=first", "-1H");
        Path second = Certificates.newKey(directory.resolve("second.p12"), "CN=second", "-1H");
        AtomicLong now = new AtomicLong(System.nanoTime());
        clock = now::get;
        start(Map.of("tls.keystore.path", keystore.toString(), "tls.keystore.password", Certificates.PASSWORD));
        Path renewed = Files.copy(second, keystore, StandardCopyOption.REPLACE_EXISTING);
        long ignored = now.addAndGet(TimeUnit.MINUTES.toNanos(1));
        reader.committed(null);
        SSLContext trusting = Certificates.client(null, renewed);
        assertThatCode(() -> clients.add(new RawClient(trusting.getSocketFactory(), (int) figure("http-port"))))
                .doesNotThrowAnyException();
    }
}
