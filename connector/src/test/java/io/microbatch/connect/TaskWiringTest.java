package io.microbatch.connect;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.config.BoundaryConfig;
import io.microbatch.connect.config.MicrobatchConfig;
import io.microbatch.connect.control.ControlSettings;
import io.microbatch.connect.control.OffsetDelay;
import io.microbatch.connect.poll.CommitClock;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class TaskWiringTest {

    private static final Map<String, String> HTTP =
            Map.of("upstream.type", "http", "upstream.http.topics", "orders", "upstream.http.port", "8090");
    private static final Map<String, String> OUTBOX = Map.of(
            "upstream.type", "outbox",
            "upstream.outbox.jdbc.url", "jdbc:postgresql://localhost/shop",
            "upstream.outbox.user", "shop",
            "upstream.outbox.password", "secret",
            "upstream.outbox.table", "outboxevent");
    private static final Map<String, String> HOSTED =
            Map.of("upstream.type", "connector", "upstream.connector.class", "org.example.Source");
    private static final Map<String, String> GENERATED =
            Map.of("upstream.type", "synthetic", "upstream.synthetic.topic", "t");

    private static ControlSettings settings(Map<String, String> config, String mode) {
        Map<String, String> complete = new HashMap<>(config);
        complete.put("batch.mode", mode);
        return TaskWiring.settings(new MicrobatchConfig(complete), 21_845);
    }

    @Test
    void beginsByTheSizeOfTheEventsForHostedConnectorsOnly() {
        assertThat(settings(HOSTED, "adaptive").firstBySize()).isTrue();
        assertThat(settings(OUTBOX, "adaptive").firstBySize()).isFalse();
        assertThat(settings(HTTP, "adaptive").firstBySize()).isFalse();
        assertThat(settings(GENERATED, "adaptive").firstBySize()).isFalse();
    }

    private static Commits commits(String boundary, String intervalMs) {
        return commits(boundary, intervalMs, false);
    }

    private static Commits commits(String boundary, String intervalMs, boolean connectorEndsTransactions) {
        return commits(boundary, intervalMs, Map.of(), connectorEndsTransactions);
    }

    private static Commits commits(
            String boundary, String intervalMs, Map<String, String> config, boolean connectorEndsTransactions) {
        return TaskWiring.commits(
                BoundaryConfig.from(
                        Map.of("transaction.boundary", boundary, "transaction.boundary.interval.ms", intervalMs)),
                new MicrobatchConfig(config).batch(),
                connectorEndsTransactions,
                0);
    }

    private static long maxWaitMs(String boundary, String intervalMs) {
        CommitClock clock = commits(boundary, intervalMs).clock();
        clock.polled(0, true);
        return clock.maxWaitNanos(0, 250_000_000) / 1_000_000;
    }

    @Test
    void limitsPollsByConnectsIntervalOnly() {
        assertThat(maxWaitMs("interval", "100")).isEqualTo(100);
        assertThat(maxWaitMs("interval", Long.toString(Long.MAX_VALUE))).isEqualTo(250);
        assertThat(maxWaitMs("interval", "")).isEqualTo(250);
        assertThat(maxWaitMs("poll", "100")).isEqualTo(250);
        assertThat(maxWaitMs("connector", "100")).isEqualTo(250);
    }

    /** At least once a record may be acknowledged before an earlier one, which is still on its way. */
    @Test
    void looksForDiscardedRecordsOnlyWhereTheWorkerLetsTheConnectorEndTransactions() {
        assertThat(commits("connector", "100", true).discarded()).isPresent();
        assertThat(commits("connector", "100", false).discarded()).isEmpty();
        assertThat(commits("poll", "100", false).discarded()).isEmpty();
    }

    @Test
    void judgesTheDelaysOfCommitsOnlyWhereABatchIsATransaction() {
        assertThat(commits("poll", "100").backoffDetector()).isPresent();
        assertThat(commits("interval", "100").backoffDetector()).isEmpty();
        assertThat(commits("connector", "100").backoffDetector()).isEmpty();
    }

    private static OptionalLong offsetDelayNanos(String boundary, Map<String, String> config) {
        return commits(boundary, "100", config, false).offsetDelay().stream()
                .mapToLong(OffsetDelay::nanos)
                .findFirst();
    }

    @Test
    void delaysOffsetsOnlyWhereABatchIsATransaction() {
        Map<String, String> nine = Map.of("batch.offset.delay.ms", "9");
        assertThat(offsetDelayNanos("poll", Map.of())).as("learned").hasValue(0);
        assertThat(offsetDelayNanos("poll", nine)).hasValue(9_000_000);
        assertThat(offsetDelayNanos("poll", Map.of("batch.offset.delay.ms", "0")))
                .isEmpty();
        assertThat(offsetDelayNanos("poll", Map.of("batch.mode", "fixed"))).isEmpty();
        assertThat(offsetDelayNanos("poll", Map.of("batch.mode", "fixed", "batch.offset.delay.ms", "9")))
                .hasValue(9_000_000);
        assertThat(offsetDelayNanos("interval", nine)).isEmpty();
        assertThat(offsetDelayNanos("connector", nine)).isEmpty();
    }

    @Test
    void limitsNToTheBufferUnlessTheOperatorFixesN() {
        assertThat(settings(HOSTED, "adaptive").maxEvents()).isEqualTo(21_845);
        assertThat(settings(HOSTED, "fixed").maxEvents()).isEqualTo(50_000);
    }
}
