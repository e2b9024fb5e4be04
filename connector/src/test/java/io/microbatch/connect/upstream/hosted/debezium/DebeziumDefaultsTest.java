package io.microbatch.connect.upstream.hosted.debezium;

import static org.assertj.core.api.Assertions.assertThat;

import io.debezium.connector.common.BaseSourceConnector;
import io.debezium.connector.mysql.MySqlConnector;
import io.debezium.connector.postgresql.PostgresConnector;
import io.debezium.connector.postgresql.PostgresConnectorTask;
import io.debezium.connector.sqlserver.SqlServerConnector;
import java.util.Map;
import org.apache.kafka.connect.source.SourceConnector;
import org.apache.kafka.connect.source.SourceTask;
import org.junit.jupiter.api.Test;

class DebeziumDefaultsTest {

    @Test
    void recognisesDebeziumsClassesByTheirSuperclasses() {
        assertThat(Debezium.isTask(PostgresConnectorTask.class)).isTrue();
        assertThat(Debezium.isPostgresTask(PostgresConnectorTask.class)).isTrue();
        assertThat(Debezium.isTask(SourceTask.class)).isFalse();
        assertThat(Debezium.isConnector(PostgresConnector.class)).isTrue();
        assertThat(Debezium.isPostgresConnector(PostgresConnector.class)).isTrue();
        assertThat(Debezium.isConnector(SourceConnector.class)).isFalse();
    }

    @Test
    void setsShortQueuesForPostgresAndBatchesOfOneForLatency() {
        Map<String, String> none = Map.of();
        assertThat(DebeziumDefaults.complete(none, PostgresConnector.class, true))
                .containsEntry("poll.interval.ms", "5")
                .containsEntry("max.batch.size", "1")
                .containsEntry("max.queue.size", "512")
                .containsEntry("slot.max.retries", "30");
        assertThat(DebeziumDefaults.complete(none, PostgresConnector.class, false))
                .containsEntry("poll.interval.ms", "10")
                .containsEntry("max.batch.size", "256")
                .containsEntry("max.queue.size", "512");
        assertThat(DebeziumDefaults.complete(none, MySqlConnector.class, true))
                .containsEntry("poll.interval.ms", "5")
                .doesNotContainKeys("max.batch.size", "max.queue.size", "slot.max.retries");
    }

    /** Some connectors query their database once in each poll interval. */
    @Test
    void setsAShortPollIntervalOnlyWhereItIsThatOfAQueueInMemory() {
        Map<String, String> none = Map.of();
        assertThat(DebeziumDefaults.complete(none, MySqlConnector.class, false))
                .containsEntry("poll.interval.ms", "10");
        assertThat(DebeziumDefaults.complete(none, SqlServerConnector.class, false))
                .containsOnly(Map.entry("executor.shutdown.timeout.ms", "1000"));
        assertThat(DebeziumDefaults.complete(none, SqlServerConnector.class, true))
                .containsOnlyKeys("executor.shutdown.timeout.ms");
        assertThat(DebeziumDefaults.complete(none, BaseSourceConnector.class, false))
                .as("an unknown connector of Debezium's")
                .containsOnlyKeys("executor.shutdown.timeout.ms");
        assertThat(DebeziumDefaults.complete(Map.of("poll.interval.ms", "50"), SqlServerConnector.class, false))
                .containsEntry("poll.interval.ms", "50");
    }

    @Test
    void keepsBatchAndQueueIfTheUserHasSetOneOfThem() {
        Class<?> connector = PostgresConnector.class;
        assertThat(DebeziumDefaults.complete(Map.of("max.batch.size", "2048"), connector, false))
                .containsEntry("max.batch.size", "2048")
                .containsEntry("poll.interval.ms", "10")
                .doesNotContainKey("max.queue.size");
        assertThat(DebeziumDefaults.complete(Map.of("max.queue.size", "100"), connector, false))
                .containsEntry("max.queue.size", "100")
                .doesNotContainKey("max.batch.size");
        assertThat(DebeziumDefaults.complete(Map.of("max.queue.size", "100"), connector, true))
                .as("a queue of two is long enough for it")
                .containsEntry("max.batch.size", "1");
        assertThat(DebeziumDefaults.complete(Map.of("slot.name", "s"), connector, true))
                .containsEntry("max.batch.size", "1");
    }

    @Test
    void keepsTheSettingsOfOtherConnectors() {
        Map<String, String> own = Map.of("a", "b");
        assertThat(DebeziumDefaults.complete(own, SourceConnector.class, true)).isEqualTo(own);
    }
}
