package io.microbatch.testbed;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.ListTransactionsOptions;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.clients.admin.TransactionState;

/**
 * Aborts the transactions that a killed worker leaves open, as a worker does that fences its predecessor (KIP-618).
 * Otherwise they last until their timeout. Until then no consumer of committed records passes them, and no connector of
 * the next worker starts, because it first reads the offsets topic to its end. Stateless.
 */
public final class OpenTransactions {

    private static final long LIMIT_SECONDS = 60;

    private OpenTransactions() {}

    /**
     * Aborts the open transactions of a Connect group. A producer of that group that still lives is fenced.
     *
     * @param group the {@code group.id} of the workers, a part of the transactional ids of their producers
     * @return the transactional ids of these transactions
     * @throws IllegalStateException if the broker does not abort them within a minute
     */
    public static List<String> abort(String bootstrapServers, String group) {
        try (Admin admin = Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers))) {
            List<String> open = admin
                    .listTransactions(new ListTransactionsOptions().filterStates(Set.of(TransactionState.ONGOING)))
                    .all()
                    .get(LIMIT_SECONDS, TimeUnit.SECONDS)
                    .stream()
                    .map(TransactionListing::transactionalId)
                    .filter(id -> isOf(group, id))
                    .sorted()
                    .toList();
            admin.fenceProducers(open).all().get(LIMIT_SECONDS, TimeUnit.SECONDS);
            return open;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("cannot abort the transactions of " + group + ": " + e.getMessage(), e);
        }
    }

    /** The producers of tasks, and that of the leader, which writes configurations. */
    private static boolean isOf(String group, String transactionalId) {
        return transactionalId.startsWith(group + "-") || transactionalId.equals("connect-cluster-" + group);
    }
}
