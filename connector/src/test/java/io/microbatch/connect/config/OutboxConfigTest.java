package io.microbatch.connect.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OutboxConfigTest {

    private static final String SECRET = "hunter2-and-more";

    private final Map<String, String> outbox = new HashMap<>(Map.of(
            "name", "orders",
            "upstream.type", "outbox",
            "upstream.outbox.jdbc.url", "jdbc:postgresql://db:5432/shop",
            "upstream.outbox.user", "relay",
            "upstream.outbox.password", SECRET));

    private Map<String, List<String>> problems() {
        Map<String, List<String>> problems = new HashMap<>();
        ConfigCheck.check(outbox).forEach((key, value) -> {
            if (!value.errorMessages().isEmpty()) {
                problems.put(key, value.errorMessages());
            }
        });
        assertThat(problems.toString()).doesNotContain(SECRET);
        return problems;
    }

    @Test
    void needsTheDatabaseAndItsUserAndNothingElse() {
        assertThat(problems()).isEmpty();
        OutboxConfig config = new MicrobatchConfig(outbox).outbox();
        assertThat(config.table()).isEqualTo("outboxevent");
        assertThat(config.topic()).isEqualTo("outbox.event.${route}");
        assertThat(config.deletes()).isTrue();
        assertThat(config.walCheck()).isTrue();
        assertThat(config.shards()).isEqualTo(1);
        assertThat(config.columns().timestamp()).isEmpty();
        assertThat(config.toString()).doesNotContain(SECRET);
    }

    @ParameterizedTest
    @ValueSource(strings = {"jdbc.url", "user", "password"})
    void namesAMissingKey(String key) {
        outbox.remove("upstream.outbox." + key);
        assertThat(problems()).containsOnlyKeys("upstream.outbox." + key);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:postgresql://db/shop",
                "jdbc:postgresql://10.0.0.1:5432,db-2.example.org:5433/shop",
                "jdbc:postgresql://[::1]:5432/shop?sslmode=verify-full&connectTimeout=5",
                "jdbc:postgresql://db/shop?prepareThreshold=0"
            })
    void takesUrlsWithHarmlessParameters(String url) {
        outbox.put("upstream.outbox.jdbc.url", url);
        assertThat(problems()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:mysql://db/shop",
                "jdbc:postgresql:shop",
                "jdbc:postgresql://relay:hunter2-and-more@db/shop",
                "jdbc:postgresql://db/shop?socketFactory=org.example.Any",
                "jdbc:postgresql://db/shop?sslmode=require&sslfactory=org.example.Any",
                "jdbc:postgresql://db/shop?authenticationPluginClassName=org.example.Any",
                "jdbc:postgresql://db/shop?loggerFile=/tmp/a",
                "jdbc:postgresql://db/shop?user=relay&password=hunter2-and-more",
                "jdbc:postgresql://db/shop?sslmode=require?socketFactory=org.example.Any",
                "jdbc:postgresql://db/shop?sslmode=require;socketFactory=org.example.Any",
                "jdbc:postgresql://db/shop?%73ocketFactory=org.example.Any",
                "jdbc:postgresql://db/shop%3FsocketFactory=org.example.Any",
                "jdbc:postgresql://db/shop?sslmode"
            })
    void refusesOtherUrlsAndShowsNoneOfThem(String url) {
        outbox.put("upstream.outbox.jdbc.url", url);
        assertThat(problems()).containsOnlyKeys("upstream.outbox.jdbc.url");
        assertThat(problems().toString()).doesNotContain("org.example", "/tmp/a");
    }

    @ParameterizedTest
    @CsvSource({
        "table, a.b.c",
        "table, ''",
        "column.seq, ''",
        "topic, 'a b'",
        "topic, __${route}",
        "topics, '['",
        "fields.additional, type",
        "fields.additional, type:envelope",
        "fields.additional, type:header:",
        "shards, 65",
        "page.rows, 0",
        "poll.interval.ms, 0",
        "notify.channel, 'a b'",
        "notify.channel, 'a\"'"
    })
    void refusesWhatItCannotUse(String key, String value) {
        outbox.put("upstream.outbox." + key, value);
        assertThat(problems()).containsOnlyKeys("upstream.outbox." + key);
    }

    @Test
    void refusesANameThatPostgresqlWouldCut() {
        outbox.put("upstream.outbox.table", "a".repeat(64));
        outbox.put("upstream.outbox.column.key", "\u00e4".repeat(32));
        assertThat(problems()).containsOnlyKeys("upstream.outbox.table", "upstream.outbox.column.key");
    }

    @Test
    void refusesPayloadsThatFillAStripe() {
        outbox.put("upstream.outbox.max.payload.bytes", "2000000");
        outbox.put("stripe.max.bytes", "2000000");
        assertThat(problems()).containsOnlyKeys("upstream.outbox.max.payload.bytes");
    }

    /** Connect reports a failed send of an at-least-once worker like a record that a transform has dropped. */
    @Test
    void refusesATolerationThatDeletesRowsWhichKafkaDoesNotHave() {
        outbox.put("errors.tolerance", "ALL ");
        assertThat(problems()).containsOnlyKeys("errors.tolerance");
        assertThat(problems().get("errors.tolerance").toString()).contains("deadletter.topic");
        outbox.put("errors.tolerance", "none");
        assertThat(problems()).isEmpty();
    }

    @Test
    void refusesAProducerThatDoesNotWaitAndWarnsOfOneThatWaitsForOneBroker() {
        assertThat(OutboxCheck.warnings(outbox)).isEmpty();
        outbox.put("producer.override.acks", "0");
        assertThat(problems()).containsOnlyKeys("producer.override.acks");
        outbox.put("producer.override.acks", "1");
        assertThat(problems()).isEmpty();
        assertThat(OutboxCheck.warnings(outbox))
                .singleElement()
                .asString()
                .contains("lost with its broker: leave it out");
        outbox.put("upstream.type", "connector");
        assertThat(OutboxCheck.warnings(outbox)).isEmpty();
    }

    @Test
    void readsColumnsThatBecomeHeaders() {
        outbox.put("upstream.outbox.fields.additional", "type:header:kind, tenant:header");
        assertThat(new MicrobatchConfig(outbox).outbox().fields())
                .containsExactly(new OutboxConfig.Field("type", "kind"), new OutboxConfig.Field("tenant", "tenant"));
    }

    @Test
    void readsItsKeysOnlyWithItsType() {
        outbox.put("upstream.type", "synthetic");
        outbox.put("upstream.synthetic.topic", "events");
        assertThat(problems())
                .containsOnlyKeys("upstream.outbox.jdbc.url", "upstream.outbox.user", "upstream.outbox.password");
    }
}
