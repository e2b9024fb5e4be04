package io.microbatch.connect.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WaterfallTest {

    private static Map<String, Double> of(Map<Figure, Double> figures, Map<String, String> config) {
        return Waterfall.of(new TaskSnapshot(new TaskKey("a", 0), figures), new ConnectorSettings(config, 60_000));
    }

    @Test
    void dividesTheMedianOfThisConnectorAmongItsStages() {
        assertThat(of(
                        Map.of(
                                Figure.UPSTREAM_LAG_MS, 12.0,
                                Figure.ACK_LATENCY_MINUTE_P50_MS, 40.0,
                                Figure.ACK_LATENCY_P50_MS, 400.0,
                                Figure.SEND_AND_COMMIT_MINUTE_P50_MS, 9.0,
                                Figure.SEND_AND_COMMIT_MS, 90.0,
                                Figure.LINGER_MS, 25.0,
                                Figure.COMMIT_AVG_MS, 6.0,
                                Figure.TRANSACTION_RECORDS_AVG, 30.0),
                        Map.of("connector.class", ConnectorSettings.MICROBATCH_CLASS)))
                .containsExactly(
                        Map.entry("upstream", 12.0),
                        Map.entry("stripe", 6.0),
                        Map.entry("linger", 25.0),
                        Map.entry("convert and send", 3.0),
                        Map.entry("commit", 6.0));
    }

    @Test
    void showsTheDelayOfTheOffsetsApart() {
        Map<Figure, Double> delayed = Map.of(
                Figure.ACK_LATENCY_MINUTE_P50_MS, 50.0,
                Figure.SEND_AND_COMMIT_MINUTE_P50_MS, 24.0,
                Figure.LINGER_MS, 26.0,
                Figure.COMMIT_AVG_MS, 8.0,
                Figure.TRANSACTION_RECORDS_AVG, 30.0,
                Figure.OFFSET_DELAY_MS, 14.0);
        assertThat(of(delayed, Map.of("connector.class", ConnectorSettings.MICROBATCH_CLASS)))
                .containsEntry("convert and send", 2.0)
                .containsEntry("offset delay", 14.0)
                .containsEntry("commit", 8.0);
    }

    @Test
    void addsTheStagesOfARequestAndOfARow() {
        Map<Figure, Double> waits = Map.of(
                Figure.ACK_LATENCY_MINUTE_P50_MS, 20.0,
                Figure.ACK_LATENCY_P50_MS, 20.0,
                Figure.SEND_AND_COMMIT_MINUTE_P50_MS, 8.0,
                Figure.LINGER_MS, 12.0,
                Figure.HTTP_ANSWER_P50_MS, 23.0,
                Figure.OUTBOX_POLL_MS, 2.0);
        assertThat(of(waits, Map.of("connector.class", ConnectorSettings.MICROBATCH_CLASS, "upstream.type", "http")))
                .containsExactly(
                        Map.entry("request", 3.0),
                        Map.entry("stripe", 0.0),
                        Map.entry("linger", 12.0),
                        Map.entry("convert and send", 8.0));
        Map<Figure, Double> row = new EnumMap<>(waits);
        row.remove(Figure.HTTP_ANSWER_P50_MS);
        Map<String, String> outbox = Map.of(
                "connector.class", ConnectorSettings.MICROBATCH_CLASS,
                "upstream.type", "outbox",
                "upstream.outbox.poll.interval.ms", "50");
        assertThat(of(row, outbox))
                .containsEntry("poll interval", 25.0)
                .containsEntry("read rows", 2.0)
                .doesNotContainKeys("request", "upstream");
        Map<String, String> notified = new HashMap<>(outbox);
        notified.put("upstream.outbox.notify.channel", "rows");
        assertThat(of(row, notified)).doesNotContainKey("poll interval").containsKey("read rows");
    }

    @Test
    void showsWhatIsKnownOfAPlainConnector() {
        assertThat(of(
                        Map.of(
                                Figure.DEBEZIUM_BEHIND_MS, 30.0,
                                Figure.COMMIT_AVG_MS, 6.0,
                                Figure.TRANSACTION_RECORDS_AVG, 30.0),
                        Map.of(
                                "connector.class", "io.debezium.connector.mysql.MySqlConnector",
                                "transaction.boundary", "interval",
                                "transaction.boundary.interval.ms", "50")))
                .containsExactly(
                        Map.entry("source", 30.0),
                        Map.entry("poll interval", 500.0),
                        Map.entry("transaction interval", 25.0),
                        Map.entry("commit", 6.0));
        assertThat(of(
                        Map.of(Figure.PRODUCER_QUEUE_AVG_MS, 2.0, Figure.PRODUCER_REQUEST_AVG_MS, 5.0),
                        Map.of("connector.class", "a.B")))
                .containsExactly(Map.entry("producer queue", 2.0), Map.entry("request", 5.0));
    }
}
