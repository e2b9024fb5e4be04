package io.microbatch.bench;

import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.FinalizedVersionRange;

/** What the brokers of a run have agreed on and what decides how fast they are. Stateless. */
final class BrokerFeatures {

    private static final String TRANSACTION_VERSION = "transaction.version";
    private static final long LIMIT_SECONDS = 30;

    private BrokerFeatures() {}

    /**
     * The finalized {@code transaction.version}: from 2 on the broker defends transactions itself and the client sends no
     * request to add partitions (KIP-890). "0" where none is finalized, "unknown" where nobody answers.
     */
    static String transactionVersion(String bootstrapServers) {
        try (Admin admin = Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers))) {
            FinalizedVersionRange range = admin.describeFeatures()
                    .featureMetadata()
                    .get(LIMIT_SECONDS, TimeUnit.SECONDS)
                    .finalizedFeatures()
                    .get(TRANSACTION_VERSION);
            return range == null ? "0" : Short.toString(range.maxVersionLevel());
        } catch (ExecutionException | TimeoutException e) {
            return "unknown";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "unknown";
        }
    }
}
