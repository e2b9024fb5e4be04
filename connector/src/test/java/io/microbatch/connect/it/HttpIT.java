package io.microbatch.connect.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.it.Cluster.Mode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Events that clients post to a real worker: each endpoint, and what an answer means. */
@ExtendWith(Cluster.Shared.class)
class HttpIT {

    private static final int CLIENTS = 16;
    private static final int REQUESTS = 50;

    private final Cluster cluster;

    HttpIT(Cluster cluster) {
        this.cluster = cluster;
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void takesEventsAtEachEndpointAndAnswersWhenKafkaHasThem(Mode mode) {
        HttpIngest ingest = HttpIngest.of(cluster, "http-endpoints-" + mode.suffix());
        String topic = ingest.name();
        HttpPoster poster = ingest.start(mode, Map.of());

        HttpPoster.Reply records = poster.post(
                "/topics/" + topic,
                HttpPoster.JSON_RECORDS,
                "{\"records\":[{\"key\":\"a\",\"value\":{\"n\": 1}},{\"value\":[2, 3]},"
                        + "{\"key\":\"c\",\"value\":null}]}");
        assertThat(records.status()).as(records.toString()).isEqualTo(200);
        assertThat(ingest.values()).containsExactly("{\"n\": 1}", "[2, 3]", "null");
        for (int i = 0; i < 3; i++) {
            assertThat(records.at("/offsets/" + i + "/partition").asInt(-1)).isZero();
            assertThat(records.at("/offsets/" + i + "/offset").asLong(-1)).isEqualTo(place(ingest, i));
            assertThat(records.at("/offsets/" + i + "/error_code").isNull()).isTrue();
        }

        HttpPoster.Reply partition = poster.post(
                "/topics/" + topic + "/partitions/0",
                "application/vnd.kafka.text.v2+json",
                "{\"records\":[{\"value\":\"text\"}]}");
        HttpPoster.Reply lines = poster.post("/events/" + topic, HttpPoster.LINES, "{\"l\":1}\n\n{\"l\":2}\n");
        HttpPoster.Reply plain =
                poster.post("/events/" + topic + "?key=k1", "text/plain", "plain", "traceparent", "00-ab-cd-01");
        String event = "{\"specversion\":\"1.0\",\"id\":\"7\",\"source\":\"/s\",\"type\":\"t\",\"partitionkey\":\"p\","
                + "\"data\":{\"d\":1}}";
        HttpPoster.Reply cloud = poster.post("/events/" + topic, "application/cloudevents+json", event);
        assertThat(List.of(partition.status(), lines.status(), plain.status(), cloud.status()))
                .as("%s %s %s %s", partition, lines, plain, cloud)
                .containsOnly(200);
        assertThat(lines.at("/offsets").size()).isEqualTo(2);

        assertThat(ingest.values())
                .containsExactly("{\"n\": 1}", "[2, 3]", "null", "text", "{\"l\":1}", "{\"l\":2}", "plain", event);
        ConsumerRecord<byte[], byte[]> sent = ingest.records().get(6);
        assertThat(new String(sent.key(), StandardCharsets.UTF_8)).isEqualTo("k1");
        assertThat(sent.headers().lastHeader("traceparent").value())
                .isEqualTo("00-ab-cd-01".getBytes(StandardCharsets.UTF_8));
        assertThat(new String(ingest.records().get(7).key(), StandardCharsets.UTF_8))
                .isEqualTo("p");

        assertThat(poster.get("/").at("/connector").asText()).isEqualTo(topic);
        assertThat(poster.get("/health/live").status()).isEqualTo(200);
        cluster.rest(mode).delete(topic);
    }

    private static long place(HttpIngest ingest, int index) {
        return ingest.records().get(index).offset();
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void writesNothingOfWhatItRefuses(Mode mode) {
        HttpIngest ingest = HttpIngest.of(cluster, "http-refused-" + mode.suffix());
        String topic = ingest.name();
        HttpPoster poster = ingest.start(mode, Map.of());
        String body = "{\"records\":[{\"value\":1}]}";

        assertThat(poster.post("/topics/other", HttpPoster.JSON_RECORDS, body).status())
                .isEqualTo(404);
        assertThat(poster.post("/topics/" + topic + "/partitions/1", HttpPoster.JSON_RECORDS, body)
                        .status())
                .isEqualTo(422);
        assertThat(poster.post("/topics/" + topic, "application/vnd.kafka.avro.v2+json", body)
                        .status())
                .isEqualTo(415);
        assertThat(poster.post("/topics/" + topic, HttpPoster.JSON_RECORDS, body, "X-Request-Timeout-Ms", "abc")
                        .status())
                .isEqualTo(400);
        assertThat(poster.post(
                                "/topics/" + topic,
                                HttpPoster.JSON_RECORDS,
                                "{\"records\":[{\"value\":1},{\"value\":}]}")
                        .status())
                .isEqualTo(400);
        HttpPoster.Reply method = poster.get("/topics/" + topic);
        assertThat(method.status()).isEqualTo(405);
        assertThat(method.response().headers().firstValue("Allow")).contains("POST");

        assertThat(poster.post("/topics/" + topic, HttpPoster.JSON_RECORDS, "{\"records\":[{\"value\":\"last\"}]}")
                        .status())
                .isEqualTo(200);
        assertThat(ingest.values()).containsExactly("\"last\"");
        cluster.rest(mode).delete(topic);
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void deliversEachEventOfManyClientsOnce(Mode mode) {
        postByManyClients(mode, "efficiency");
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void deliversEachEventOfManyClientsOnceWhereAnswersShouldComeSoon(Mode mode) {
        postByManyClients(mode, "latency");
    }

    private void postByManyClients(Mode mode, String objective) {
        HttpIngest ingest = HttpIngest.of(cluster, "http-many-" + objective + "-" + mode.suffix());
        HttpPoster poster = ingest.start(mode, Map.of("batch.objective", objective));

        List<CompletableFuture<List<Integer>>> clients = new ArrayList<>();
        for (int client = 0; client < CLIENTS; client++) {
            clients.add(postAll(poster, ingest.name(), client, 0, new ArrayList<>()));
        }
        for (CompletableFuture<List<Integer>> client : clients) {
            assertThat(client.join()).hasSize(REQUESTS).containsOnly(200);
        }

        Map<String, List<Integer>> sent = new HashMap<>();
        for (String value : ingest.values()) {
            List<String> parts = List.of(value.split("-", -1));
            sent.computeIfAbsent(parts.get(0), key -> new ArrayList<>()).add(Integer.valueOf(parts.get(1)));
        }
        assertThat(sent).hasSize(CLIENTS);
        List<Integer> inOrder = new ArrayList<>();
        for (int i = 0; i < REQUESTS; i++) {
            inOrder.add(i);
        }
        assertThat(sent.values()).allSatisfy(numbers -> assertThat(numbers).isEqualTo(inOrder));
        cluster.rest(mode).delete(ingest.name());
    }

    /** Posts one event after the other. Returns the statuses. */
    private static CompletableFuture<List<Integer>> postAll(
            HttpPoster poster, String topic, int client, int number, List<Integer> statuses) {
        if (number == REQUESTS) {
            return CompletableFuture.completedFuture(statuses);
        }
        return poster.postLater("/events/" + topic, "text/plain", client + "-" + number)
                .thenCompose(reply -> {
                    statuses.add(reply.status());
                    return postAll(poster, topic, client, number + 1, statuses);
                });
    }
}
