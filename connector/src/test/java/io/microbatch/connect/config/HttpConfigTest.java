package io.microbatch.connect.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.microbatch.connect.config.HttpAuthConfig.Grant;
import io.microbatch.connect.config.HttpAuthConfig.Method;
import io.microbatch.connect.config.HttpAuthConfig.Secret;
import io.microbatch.connect.config.HttpConfig.Topic;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import javax.security.auth.x500.X500Principal;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.types.Password;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HttpConfigTest {

    private static final String SECRET = "hunter2-and-more";

    private final Map<String, String> properties = new HashMap<>(Map.of("upstream.http.topics", "orders"));

    private HttpConfig config() {
        return new MicrobatchConfig(properties).http();
    }

    @Test
    void hasTheDocumentedDefaults() {
        assertThat(config())
                .isEqualTo(new HttpConfig(
                        List.of(new Topic("orders", false, 0)),
                        "127.0.0.1",
                        8_090,
                        true,
                        2,
                        30_000,
                        5_000,
                        65_536,
                        false,
                        List.of("traceparent", "tracestate"),
                        false,
                        new HttpLimits(
                                1_048_576,
                                1_000,
                                1_047_528,
                                33_554_432,
                                67_108_864,
                                10_000,
                                1_024,
                                256,
                                16_384,
                                10_000,
                                30_000,
                                60_000),
                        new HttpAuthConfig(Method.NONE, List.of(), List.of(), false),
                        config().tls()));
        assertThat(config().tls().isOn()).isFalse();
        assertThat(config().tls().truststore()).isEmpty();
    }

    @Test
    void readsTopics() {
        properties.put("upstream.http.topics", "orders:6, notes ,app.*:2,log-*");
        assertThat(config().topics())
                .containsExactly(
                        new Topic("orders", false, 6),
                        new Topic("notes", false, 0),
                        new Topic("app.", true, 2),
                        new Topic("log-", true, 0));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "*",
                "*:2",
                ":2",
                "orders:",
                "orders:0",
                "orders:-1",
                "orders:x",
                "orders:1:2",
                "orders:100001",
                "a/b",
                "a b",
                "ü",
                ".",
                "..",
                "__consumer_offsets",
                "__*",
                "a*b",
                "a**",
                "orders,orders",
                "orders:1,orders:2"
            })
    void refusesOtherTopics(String topics) {
        assertRefused("upstream.http.topics", topics);
    }

    @Test
    void refusesNamesThatAreTooLong() {
        properties.put("upstream.http.topics", "t".repeat(249));
        assertThat(config().topics()).hasSize(1);
        assertRefused("upstream.http.topics", "t".repeat(250));
    }

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, true",
        "127.9.9.9, true",
        "localhost, true",
        "::1, true",
        "0:0:0:0:0:0:0:1, true",
        "0.0.0.0, false",
        "::, false",
        "10.1.2.3, false",
        "fe80::1, false"
    })
    void knowsLoopback(String host, boolean loopback) {
        assertThat(HttpAddress.isLoopback(host)).isEqualTo(loopback);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "example.org",
                "localhost.evil",
                "999.1.1.1",
                "1.2.3",
                "1.2.3.4.5",
                "::g",
                ":::",
                "1.2.3.4:80"
            })
    void refusesNamesAndOtherTexts(String host) {
        assertRefused("upstream.http.host", host);
    }

    @ParameterizedTest
    @CsvSource({
        "upstream.http.port, -1, 65536",
        "upstream.http.threads, 0, 65",
        "upstream.http.request.timeout.ms, 0, 600001",
        "upstream.http.stall.ms, 499, 600001",
        "upstream.http.idempotency.keys, 255, 65537",
        "upstream.http.idempotency.keys, -1, 1",
        "upstream.http.max.request.bytes, 1023, 33554433",
        "upstream.http.max.request.records, 0, 10001",
        "upstream.http.max.inflight.bytes, 1048575, 17179869185",
        "upstream.http.max.inflight.requests, 0, 1000001",
        "upstream.http.max.connections, 0, 100001",
        "upstream.http.max.connections.per.address, 0, 100001",
        "upstream.http.max.header.bytes, 1023, 65537",
        "upstream.http.header.timeout.ms, 99, 600001",
        "upstream.http.body.timeout.ms, 99, 600001",
        "upstream.http.idle.timeout.ms, 99, 600001",
        "upstream.http.port.mode, both, host",
        "upstream.http.auth, token, x509",
        "upstream.http.tls.keystore.type, pem, x"
    })
    void refusesWhatIsOutOfRange(String key, String low, String high) {
        assertRefused(key, low);
        assertRefused(key, high);
    }

    @Test
    void readsWhatIsSet() {
        properties.putAll(Map.of(
                "upstream.http.host", "0.0.0.0",
                "upstream.http.port", "0",
                "upstream.http.port.mode", "Worker",
                "upstream.http.idempotency.keys", "0",
                "upstream.http.idempotency.required", "true",
                "upstream.http.headers", "X-Request-Id",
                "upstream.http.client.timestamps", "true",
                "upstream.http.insecure", "true",
                "upstream.http.max.request.records", "7",
                "upstream.http.max.inflight.bytes", "5000000000"));
        HttpConfig config = config();
        assertThat(config.port()).isZero();
        assertThat(config.portPerTask()).isFalse();
        assertThat(config.idempotencyKeys()).isZero();
        assertThat(config.idempotencyRequired()).isTrue();
        assertThat(config.headers()).containsExactly("x-request-id");
        assertThat(config.clientTimestamps()).isTrue();
        assertThat(config.auth().insecure()).isTrue();
        assertThat(config.limits().requestRecords()).isEqualTo(7);
        assertThat(config.limits().inflightBytes()).isEqualTo(5_000_000_000L);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Authorization",
                "cookie",
                "Proxy-Authorization",
                "a b",
                "microbatch.level",
                "__Connect.errors.topic",
                "ü"
            })
    void refusesToCopyCredentialsAndReservedNames(String header) {
        assertRefused("upstream.http.headers", "x-request-id," + header);
    }

    /** The broker compares the size after compression, by which a record that cannot be compressed grows. */
    @ParameterizedTest
    @CsvSource({
        "1048576, 1047528",
        "1000000, 998976",
        "5000000, 4995000",
        "1500, 476",
        "1000, 0",
        "5000000000, 2147483647"
    })
    void limitsARecordByTheProducer(String requestBytes, int recordBytes) {
        properties.put("producer.override.max.request.size", requestBytes);
        properties.put("producer.override.buffer.memory", "6000000000");
        assertThat(config().limits().recordBytes()).isEqualTo(recordBytes);
    }

    /** The producer refuses a record that is larger than its memory, too, and with it the task fails. */
    @Test
    void limitsARecordByTheMemoryOfTheProducer() {
        properties.put("producer.override.buffer.memory", "500000");
        assertThat(config().limits().recordBytes()).isEqualTo(500_000 - 1_024);
        properties.remove("producer.override.buffer.memory");
        properties.put("producer.override.max.request.size", "50000000");
        assertThat(config().limits().recordBytes()).as("the default").isEqualTo(33_554_432 - 33_554);
    }

    @Test
    void leavesRoomForWhatTransformsAdd() {
        properties.put("producer.override.max.request.size", "5000000");
        properties.put("transforms", "stamp");
        assertThat(config().limits().recordBytes()).isEqualTo(5_000_000 - 5_000 - 1_024);
    }

    /** With the codec that Kafka has for each name: a record at the limit, of bytes that cannot be compressed. */
    @ParameterizedTest
    @ValueSource(strings = {"none", "gzip", "snappy", "lz4", "zstd"})
    void leavesRoomForWhatCompressionAdds(String codec) {
        for (int requestBytes : new int[] {20_000, 1_048_576, 5_000_000}) {
            properties.put("producer.override.max.request.size", Integer.toString(requestBytes));
            // The parts of a batch and a record besides the value.
            byte[] value = new byte[config().limits().recordBytes() - 97];
            new Random(1).nextBytes(value);
            MemoryRecords batch = MemoryRecords.withRecords(
                    Compression.of(CompressionType.forName(codec)).build(), new SimpleRecord(value));
            assertThat(batch.sizeInBytes()).isLessThanOrEqualTo(requestBytes);
        }
    }

    @Test
    void readsSecretsOfAnySeparator() {
        properties.put("upstream.http.auth", "bearer");
        properties.put("upstream.http.auth.secrets", "shop=a==, billing = b\n\nshop=c d\r\n");
        assertThat(config().auth().secrets())
                .containsExactly(
                        new Secret("shop", new Password("a==")),
                        new Secret("billing", new Password("b")),
                        new Secret("shop", new Password("c d")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "=" + SECRET,
                "shop",
                "shop=",
                "shop= ",
                " =" + SECRET,
                "shop=" + SECRET + ",billing",
                "a=" + SECRET + ",b=" + SECRET,
                "a:b=" + SECRET
            })
    void refusesOtherSecrets(String secrets) {
        assertRefused("upstream.http.auth.secrets", secrets);
    }

    @Test
    void readsGrants() {
        properties.put("upstream.http.auth", "basic");
        properties.put("upstream.http.acl", "shop = orders | app.* ;billing=*\n");
        assertThat(config().auth().grants())
                .containsExactly(new Grant("shop", List.of("orders", "app.*")), new Grant("billing", List.of("*")));
    }

    @Test
    void readsGrantsOfSubjects() {
        properties.put("upstream.http.auth", "mtls");
        properties.put("upstream.http.acl", "CN=Shop, O=Example=orders");
        assertThat(config().auth().grants())
                .containsExactly(
                        new Grant(HttpAuthConfig.principal(new X500Principal("cn=shop,o=example")), List.of("orders")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "shop",
                "=orders",
                "shop=",
                "shop=a b",
                "shop=orders|",
                "shop=__x",
                "shop=a*b",
                "",
                " ",
                ";",
                "\n"
            })
    void refusesOtherGrants(String acl) {
        assertRefused("upstream.http.acl", acl);
    }

    @Test
    void printsNoSecret() {
        properties.put("upstream.http.auth", "bearer");
        properties.put("upstream.http.auth.secrets", "shop=" + SECRET);
        properties.put("upstream.http.tls.keystore.path", "/keys/server.p12");
        properties.put("upstream.http.tls.keystore.password", SECRET);
        assertThat(config().toString()).contains("shop").doesNotContain(SECRET);
        assertThat(config().tls().isOn()).isTrue();
        assertThat(new MicrobatchConfig(properties).values().toString()).doesNotContain(SECRET);
    }

    private void assertRefused(String key, String value) {
        properties.put(key, value);
        assertThatThrownBy(() -> new MicrobatchConfig(properties))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(key)
                .hasMessageNotContaining(SECRET);
    }
}
