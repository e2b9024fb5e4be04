package io.microbatch.connect.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.ConfigValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HttpCheckTest {

    private static final String SECRET = "hunter2-and-more";
    private static final String BYTES = "org.apache.kafka.connect.converters.ByteArrayConverter";
    private static final String MIXED = "io.microbatch.connect.transforms.MixedHeaderConverter";

    private final Map<String, String> http = new HashMap<>(Map.of(
            "name", "ingest",
            "upstream.type", "http",
            "upstream.http.topics", "orders:6,app.audit",
            "topic.creation.default.partitions", "6",
            "key.converter", BYTES,
            "value.converter", BYTES,
            "header.converter", BYTES));

    private Map<String, List<String>> problems() {
        Map<String, ConfigValue> values =
                new HashMap<>(MicrobatchConfig.definition().validateAll(http));
        Map<String, List<String>> before = errors(values);
        HttpCheck.check(http, values);
        Map<String, List<String>> problems = errors(values);
        // What a key's own validator says is tested with the key.
        before.forEach((key, messages) -> {
            if (messages.equals(problems.get(key))) {
                problems.remove(key);
            }
        });
        return problems;
    }

    private static Map<String, List<String>> errors(Map<String, ConfigValue> values) {
        Map<String, List<String>> errors = new HashMap<>();
        values.forEach((key, value) -> {
            if (!value.errorMessages().isEmpty()) {
                errors.put(key, List.copyOf(value.errorMessages()));
            }
        });
        return errors;
    }

    private void assertProblem(String key, String... parts) {
        Map<String, List<String>> problems = problems();
        assertThat(problems).containsOnlyKeys(key);
        assertThat(problems.get(key))
                .singleElement()
                .asString()
                .startsWith(key + " ")
                .contains(parts)
                .doesNotContain(SECRET);
    }

    @Test
    void acceptsTheSmallestConfiguration() {
        assertThat(problems()).isEmpty();
        assertThat(HttpCheck.warnings(http)).isEmpty();
    }

    @Test
    void saysNothingOfAnotherUpstream() {
        Map<String, String> other = Map.of("upstream.type", "synthetic", "producer.override.acks", "1");
        Map<String, ConfigValue> values =
                new HashMap<>(MicrobatchConfig.definition().validateAll(other));
        HttpCheck.check(other, values);
        assertThat(errors(values)).isEmpty();
        assertThat(HttpCheck.warnings(other)).isEmpty();
        assertThat(HttpCheck.warnings(Map.of())).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"key.converter", "value.converter", "header.converter"})
    void needsConvertersThatKeepBytes(String converter) {
        http.put(converter, "org.apache.kafka.connect.json.JsonConverter");
        assertProblem(converter, "upstream.type=http", converter.startsWith("header") ? MIXED : BYTES);
        http.remove(converter);
        assertProblem(converter, "upstream.type=http");
    }

    @Test
    void needsTheMixedConverterForATransformThatAddsHeaders() {
        http.put("transforms", "stamp");
        http.put("transforms.stamp.type", "io.microbatch.connect.transforms.StampPressure");
        assertProblem("header.converter", MIXED);
        http.put("header.converter", MIXED);
        assertThat(problems()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "deadletter.topic, dead, the client is told",
        "transaction.boundary, interval, must be poll",
        "transaction.boundary, connector, must be poll",
        "producer.override.acks, 0, must not be 0",
        "bulk.enabled, true, each request is answered",
        "errors.tolerance, All, although the broker may have it"
    })
    void refusesWorkerSettingsThatBreakThePromise(String key, String value, String remedy) {
        http.put(key, value);
        assertProblem(key, remedy, "Remove it");
    }

    @Test
    void acceptsTheBoundaryOfAPoll() {
        http.put("transaction.boundary", "Poll");
        http.put("producer.override.acks", "all");
        http.put("errors.tolerance", "none");
        assertThat(problems()).isEmpty();
        assertThat(HttpCheck.warnings(http)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"producer.override.acks, 1, leave it out", "topic.creation.default.partitions, '', topics that exist"})
    void warnsOfWhatHarms(String key, String value, String part) {
        http.put(key, value);
        assertThat(HttpCheck.warnings(http)).singleElement().asString().contains(key, part);
        assertThat(problems()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"org.apache.kafka.connect.transforms.Filter", "com.example.Sample$Value"})
    void warnsOfATransformThatMayDrop(String type) {
        http.put("transforms", "a, b");
        http.put("transforms.a.type", "org.apache.kafka.connect.transforms.InsertField$Value");
        http.put("transforms.b.type", type);
        assertThat(HttpCheck.warnings(http))
                .singleElement()
                .asString()
                .contains(type, "504", "409", "upstream.http.idempotency.keys=0");
        http.put("upstream.http.idempotency.keys", "0");
        assertThat(HttpCheck.warnings(http))
                .singleElement()
                .asString()
                .contains(type, "504")
                .doesNotContain("409");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "org.apache.kafka.connect.transforms.TimestampRouter",
                "io.microbatch.connect.transforms.StampPressure"
            })
    void saysNothingOfATransformThatDropsNothing(String type) {
        http.put("transforms", "a,b");
        http.put("transforms.a.type", type);
        assertThat(HttpCheck.warnings(http)).isEmpty();
    }

    @Test
    void warnsOfFewerKeysThanMayBeOnTheirWay() {
        http.put("upstream.http.idempotency.keys", "1023");
        assertThat(HttpCheck.warnings(http))
                .singleElement()
                .asString()
                .contains("upstream.http.idempotency.keys", "raise it", "lower upstream.http.max.inflight.requests");
        assertThat(problems()).isEmpty();
        http.put("upstream.http.idempotency.keys", "1024");
        assertThat(HttpCheck.warnings(http)).isEmpty();
        http.put("upstream.http.max.connections", "2000");
        assertThat(HttpCheck.warnings(http)).hasSize(1);
        http.put("upstream.http.max.inflight.requests", "1024");
        assertThat(HttpCheck.warnings(http)).isEmpty();
        http.put("upstream.http.max.inflight.requests", "10000");
        http.put("upstream.http.idempotency.keys", "0");
        assertThat(HttpCheck.warnings(http)).isEmpty();
    }

    @Test
    void refusesKeysThatMeanNothingOnASharedPort() {
        http.put("upstream.http.port.mode", "Worker");
        http.put("upstream.http.idempotency.required", "true");
        assertThat(problems()).isEmpty();
        assertThat(HttpCheck.warnings(http)).isEmpty();
        http.put("tasks.max", "2");
        assertProblem("upstream.http.idempotency.required", "upstream.http.port.mode=task", "tasks.max=1");
        http.put("upstream.http.idempotency.required", "false");
        assertThat(problems()).isEmpty();
        assertThat(HttpCheck.warnings(http)).singleElement().asString().contains("upstream.http.idempotency.keys=0");
        http.put("upstream.http.idempotency.keys", "0");
        assertThat(HttpCheck.warnings(http)).isEmpty();
        http.remove("upstream.http.idempotency.keys");
        http.put("upstream.http.port.mode", "task");
        http.put("upstream.http.idempotency.required", "true");
        assertThat(problems()).isEmpty();
        assertThat(HttpCheck.warnings(http)).isEmpty();
    }

    @Test
    void needsAPortForEachTask() {
        http.put("upstream.http.port", "65534");
        http.put("tasks.max", "2");
        assertThat(problems()).isEmpty();
        http.put("tasks.max", "3");
        assertProblem("upstream.http.port", "65533", "tasks.max");
        http.put("upstream.http.port.mode", "worker");
        http.put("upstream.http.idempotency.keys", "0");
        assertThat(problems()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "stripe.max.bytes, 2097152, 2097151, upstream.http.max.request.bytes",
        "stripe.max.events, 2000, 1999, upstream.http.max.request.records"
    })
    void keepsARequestToHalfAStripe(String key, String enough, String less, String limit) {
        http.put(key, enough);
        assertThat(problems()).isEmpty();
        http.put(key, less);
        assertProblem(limit, "half of " + key);
    }

    @Test
    void needsRoomForTheLargestBody() {
        http.put("upstream.http.max.inflight.bytes", "1048576");
        assertThat(problems()).isEmpty();
        http.put("upstream.http.max.request.bytes", "1048577");
        assertProblem("upstream.http.max.inflight.bytes", "upstream.http.max.request.bytes");
    }

    @Test
    void allowsPrefixesOnlyIfConnectCreatesTopics() {
        http.put("upstream.http.topics", "orders,app.*");
        assertThat(problems()).isEmpty();
        http.remove("topic.creation.default.partitions");
        assertProblem("upstream.http.topics", "topic.creation.default.partitions");
    }

    @Test
    void letsClientsChooseOnlyFromPartitionsThatConnectCreates() {
        http.put("upstream.http.topics", "shop.*:6,app.*,orders");
        assertThat(problems()).isEmpty();
        assertThat(HttpCheck.warnings(http)).isEmpty();
        http.put("upstream.http.topics", "orders,shop.*:7");
        assertProblem("upstream.http.topics", "topic.creation.default.partitions", "lower this");
        assertThat(HttpCheck.warnings(http)).isEmpty();
        http.put("topic.creation.groups", "shop");
        assertThat(problems()).isEmpty();
        http.put("topic.creation.groups", " ");
        http.put("topic.creation.default.partitions", "-1");
        assertThat(problems()).isEmpty();
    }

    /** It may exist, with more of them. */
    @Test
    void warnsOfATopicThatConnectWouldCreateWithFewerPartitions() {
        http.put("upstream.http.topics", "app.*:6, orders:7");
        assertThat(problems()).isEmpty();
        assertThat(HttpCheck.warnings(http))
                .singleElement()
                .asString()
                .contains("upstream.http.topics", "topic.creation.default.partitions", "create the topic before");
        http.put("topic.creation.groups", "orders");
        assertThat(HttpCheck.warnings(http)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"bearer", "basic"})
    void needsSecrets(String auth) {
        http.put("upstream.http.auth", auth);
        assertProblem("upstream.http.auth.secrets", "is missing");
        http.put("upstream.http.auth.secrets", "shop=" + SECRET);
        assertThat(problems()).isEmpty();
    }

    @Test
    void refusesSecretsThatNobodyReads() {
        http.put("upstream.http.auth.secrets", "shop=" + SECRET);
        assertProblem("upstream.http.auth.secrets", "is read only with");
        mtls();
        assertProblem("upstream.http.auth.secrets", "is read only with");
    }

    @Test
    void needsBothFilesForCertificatesOfClients() {
        mtls();
        assertThat(problems().keySet()).containsExactly("upstream.http.auth.secrets");
        http.remove("upstream.http.auth.secrets");
        assertThat(problems()).isEmpty();
        String truststore = http.remove("upstream.http.tls.truststore.path");
        assertProblem("upstream.http.tls.truststore.path", "is missing");
        http.put("upstream.http.tls.truststore.path", truststore);
        http.remove("upstream.http.tls.keystore.path");
        assertProblem("upstream.http.tls.keystore.path", "is missing");
    }

    @ParameterizedTest
    @CsvSource({
        "upstream.http.tls.truststore.path, /a, upstream.http.auth=mtls",
        "upstream.http.tls.keystore.password, x, upstream.http.tls.keystore.path",
        "upstream.http.tls.keystore.type, JKS, upstream.http.tls.keystore.path",
        "upstream.http.tls.truststore.password, x, upstream.http.tls.truststore.path",
        "upstream.http.acl, shop=orders, upstream.http.auth"
    })
    void refusesKeysThatNobodyReads(String key, String value, String other) {
        http.put(key, value);
        assertProblem(key, "is read only with", other);
    }

    @Test
    void knowsThePrincipalsOfGrants() {
        http.put("upstream.http.auth", "bearer");
        http.put("upstream.http.auth.secrets", "shop=" + SECRET);
        http.put("upstream.http.acl", "shop=orders;billing=orders");
        assertProblem("upstream.http.acl", "without a secret");
        // A comma in place of a semicolon makes one strange principal.
        http.put("upstream.http.acl", "shop=orders,billing=orders");
        assertProblem("upstream.http.acl", "without a secret");
        http.put("upstream.http.acl", "shop=orders|app.*");
        assertThat(problems()).isEmpty();
    }

    @Test
    void knowsTheSubjectsOfGrants() {
        mtls();
        http.remove("upstream.http.auth.secrets");
        http.put("upstream.http.acl", "CN=shop, O=Example=orders");
        assertThat(problems()).isEmpty();
        http.put("upstream.http.acl", "shop=orders");
        assertProblem("upstream.http.acl", "CN=shop,O=Example");
    }

    @ParameterizedTest
    @CsvSource({
        "orders, true",
        "order, false",
        "app.*, true",
        "app.audit*, true",
        "*, true",
        "b*, false",
        "log-1, true",
        "log-1*, true",
        "lo*, true",
        "log, false"
    })
    void knowsTheTopicsOfGrants(String topic, boolean listed) {
        http.put("upstream.http.topics", "orders:6,app.audit,log-*:2");
        http.put("upstream.http.auth", "bearer");
        http.put("upstream.http.auth.secrets", "shop=" + SECRET);
        http.put("upstream.http.acl", "shop=" + topic);
        if (listed) {
            assertThat(problems()).isEmpty();
        } else {
            assertProblem("upstream.http.acl", "upstream.http.topics");
        }
    }

    @Test
    void listensToOthersOnlyWithTlsAndAuthentication() {
        http.put("upstream.http.host", "0.0.0.0");
        assertProblem("upstream.http.host", "TLS and authentication", "upstream.http.insecure=true");
        http.put("upstream.http.auth", "bearer");
        http.put("upstream.http.auth.secrets", "shop=" + SECRET);
        assertProblem("upstream.http.host", "TLS and authentication");
        http.put("upstream.http.tls.keystore.path", "/keys/server.p12");
        assertThat(problems()).isEmpty();
        http.remove("upstream.http.auth");
        http.remove("upstream.http.auth.secrets");
        assertProblem("upstream.http.host", "TLS and authentication");
        http.put("upstream.http.insecure", "true");
        assertThat(problems()).isEmpty();
        assertThat(HttpCheck.warnings(http)).singleElement().asString().contains("upstream.http.insecure=true");
        http.put("upstream.http.host", "::1");
        assertThat(HttpCheck.warnings(http)).isEmpty();
    }

    @Test
    void bearsWrongValues() {
        http.putAll(Map.of(
                "upstream.http.auth", "x",
                "upstream.http.max.request.bytes", "x",
                "upstream.http.topics", "*",
                "upstream.http.host", "x",
                "upstream.http.insecure", "x",
                "upstream.http.acl", "x",
                "bulk.enabled", "x"));
        assertThat(problems()).isEmpty();
        http.put("upstream.http.auth", "bearer");
        http.put("upstream.http.auth.secrets", "x");
        assertThat(problems()).isEmpty();
    }

    private void mtls() {
        http.put("upstream.http.auth", "mtls");
        http.put("upstream.http.auth.secrets", "shop=" + SECRET);
        http.put("upstream.http.tls.keystore.path", "/keys/server.p12");
        http.put("upstream.http.tls.truststore.path", "/keys/clients.p12");
    }
}
