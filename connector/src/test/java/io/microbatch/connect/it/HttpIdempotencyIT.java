package io.microbatch.connect.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.it.Cluster.Mode;
import io.microbatch.testbed.ConnectWorker;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Requests with an {@code Idempotency-Key}, repeated to the same task, across restarts and a kill of its worker. */
@ExtendWith(Cluster.Shared.class)
class HttpIdempotencyIT {

    private static final String KEY = "Idempotency-Key";
    private static final String REPLAYED = "Idempotent-Replayed";
    private static final int KEYS = 700;

    private final Cluster cluster;

    HttpIdempotencyIT(Cluster cluster) {
        this.cluster = cluster;
    }

    private static HttpPoster.Reply post(HttpPoster poster, String topic, String key, String body) {
        return poster.post("/events/" + topic, HttpPoster.LINES, body, KEY, key);
    }

    private static void assertReplayed(HttpPoster.Reply reply, boolean expected) {
        assertThat(reply.status()).as("%s", reply).isEqualTo(200);
        assertThat(isReplayed(reply)).isEqualTo(expected);
    }

    private static boolean isReplayed(HttpPoster.Reply reply) {
        return reply.response().headers().firstValue(REPLAYED).isPresent();
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void answersARepeatAndWritesNothing(Mode mode) {
        HttpIngest ingest = HttpIngest.of(cluster, "http-repeat-" + mode.suffix());
        String topic = ingest.name();
        HttpPoster poster = ingest.start(mode, Map.of());

        HttpPoster.Reply first = post(poster, topic, "\"k-1\"", "1\n2\n");
        assertReplayed(first, false);
        HttpPoster.Reply repeated = post(poster, topic, "k-1", "1\n2\n");
        assertReplayed(repeated, true);
        assertThat(repeated.body()).isEqualTo(first.body());
        assertThat(post(poster, topic, "k-1", "1\n3\n").at("/error_code").asInt())
                .isEqualTo(42230);
        assertThat(post(poster, topic, "\"\"", "4").status()).isEqualTo(400);
        assertThat(post(poster, topic, "k".repeat(256), "5").status()).isEqualTo(400);
        assertThat(ingest.values()).containsExactly("1", "2");

        // A clean restart forgets the places and no key.
        cluster.rest(mode).stop(topic);
        cluster.rest(mode).awaitState(topic, "STOPPED");
        cluster.rest(mode).resume(topic);
        poster.awaitReady();
        HttpPoster.Reply after = post(poster, topic, "k-1", "1\n2\n");
        assertReplayed(after, true);
        assertThat(after.at("/offsets").size()).isEqualTo(2);
        assertThat(after.at("/offsets/0/offset").isNull()).isTrue();
        assertReplayed(post(poster, topic, "k-2", "1\n2\n"), false);
        assertThat(ingest.values()).containsExactly("1", "2", "1", "2");
        cluster.rest(mode).delete(topic);
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void writesTheSameRequestOnceIfItComesManyTimesAtOnce(Mode mode) {
        HttpIngest ingest = HttpIngest.of(cluster, "http-at-once-" + mode.suffix());
        HttpPoster poster = ingest.start(mode, Map.of());
        for (int round = 0; round < 5; round++) {
            String key = "round-" + round;
            List<CompletableFuture<HttpPoster.Reply>> replies = new java.util.ArrayList<>();
            for (int i = 0; i < 8; i++) {
                replies.add(poster.postLater("/events/" + ingest.name(), HttpPoster.LINES, "7", KEY, key));
            }
            List<HttpPoster.Reply> answers =
                    replies.stream().map(CompletableFuture::join).toList();
            assertThat(answers).allSatisfy(answer -> assertThat(answer.status()).isIn(200, 409));
            assertThat(answers)
                    .filteredOn(answer -> answer.status() == 200 && !isReplayed(answer))
                    .as("written in round %d, among %s", round, answers)
                    .hasSize(1);
            assertThat(ingest.values()).hasSize(round + 1);
        }
        cluster.rest(mode).delete(ingest.name());
    }

    /** Under exactly-once a key is committed with its records, so that every repeat of what was answered is known. */
    @ParameterizedTest
    @EnumSource(value = Mode.class, names = "EXACTLY_ONCE")
    void knowsEveryKeyAfterAKillOfTheWorker(Mode mode) {
        HttpIngest ingest = HttpIngest.of(cluster, "http-keys-killed");
        try (ConnectWorker worker = cluster.worker(mode, "http-keys-killed").start()) {
            worker.rest().create(ingest.name(), ingest.config(1, Map.of()));
            worker.awaitRunning(ingest.name(), 1);
            HttpPoster poster = ingest.poster();
            poster.awaitReady();
            Map<Integer, Integer> statuses = postAll(poster, ingest.name());
            assertThat(statuses.values()).containsOnly(200);

            cluster.kill(worker);
            worker.restart();
            worker.awaitRunning(ingest.name(), 1);
            poster.awaitReady();

            assertThat(postAll(poster, ingest.name()).values()).containsOnly(200);
            assertThat(ingest.values()).hasSize(KEYS).doesNotHaveDuplicates();

            // Offsets that the killed process has written can be reset, and then no key is known.
            worker.rest().stop(ingest.name());
            worker.rest().awaitState(ingest.name(), "STOPPED");
            worker.rest().resetOffsets(ingest.name());
            worker.rest().resume(ingest.name());
            worker.awaitRunning(ingest.name(), 1);
            poster.awaitReady();
            assertThat(postAll(poster, ingest.name()).values()).containsOnly(200);
            assertThat(ingest.values()).hasSize(2 * KEYS);
        }
    }

    /** Posts each key with its own value, all at once. Returns the status by key. */
    private static Map<Integer, Integer> postAll(HttpPoster poster, String topic) {
        Map<Integer, CompletableFuture<HttpPoster.Reply>> replies = new HashMap<>();
        Map<Integer, Integer> statuses = new HashMap<>();
        for (int from = 0; from < KEYS; from += 100) {
            for (int i = from; i < from + 100; i++) {
                replies.put(i, poster.postLater("/events/" + topic, "text/plain", "value-" + i, KEY, "key-" + i));
            }
            replies.forEach((key, reply) -> statuses.put(key, reply.join().status()));
        }
        return statuses;
    }
}
