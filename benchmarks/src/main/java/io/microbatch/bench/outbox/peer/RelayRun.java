package io.microbatch.bench.outbox.peer;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** A relay from its begin to its end: the workers with their connections, and their producer. One thread. */
final class RelayRun {

    private final Producer<byte[], byte[]> producer;
    private final List<Worker> workers = new ArrayList<>();
    private final AtomicReference<String> problem = new AtomicReference<>("");

    /** Where the rows are, and where they go. */
    record Servers(String bootstrapServers, String jdbcUrl, String user, String password) {}

    /** A worker's thread and what it holds. */
    private record Worker(Relay relay, Connection connection, Thread thread) {}

    private RelayRun(Producer<byte[], byte[]> producer) {
        this.producer = producer;
    }

    /**
     * Starts all workers.
     *
     * @throws IllegalStateException if the database refuses a connection
     */
    static RelayRun begin(Servers servers, RelayPlan plan) {
        Map<String, Object> settings = new HashMap<>(plan.producer());
        settings.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, servers.bootstrapServers());
        RelayRun run =
                new RelayRun(new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer()));
        try {
            for (int i = 0; i < plan.workers(); i++) {
                run.add(servers, plan);
            }
        } catch (SQLException e) {
            String ignored = run.end();
            throw new IllegalStateException("the database refused a connection", e);
        }
        run.workers.forEach(worker -> worker.thread().start());
        return run;
    }

    private void add(Servers servers, RelayPlan plan) throws SQLException {
        Connection connection = DriverManager.getConnection(servers.jdbcUrl(), servers.user(), servers.password());
        Relay relay = new Relay(connection, producer, plan.sending(), plan.batchRows(), plan.pollMs());
        Thread thread = new Thread(() -> carry(relay), "relay-" + workers.size());
        workers.add(new Worker(relay, connection, thread));
    }

    private void carry(Relay relay) {
        try {
            relay.run();
        } catch (SQLException | ExecutionException | KafkaException e) {
            problem.compareAndSet("", e.toString());
        } catch (InterruptedException e) {
            problem.compareAndSet("", "interrupted");
            Thread.currentThread().interrupt();
        }
    }

    /** Why a worker has ended, or nothing. Any thread. */
    String problem() {
        return problem.get();
    }

    /** Returns when all workers have ended with their batches, with the problem, or nothing. */
    String end() {
        workers.forEach(worker -> worker.relay().stop());
        for (Worker worker : workers) {
            try {
                worker.thread().join();
                worker.connection().close();
            } catch (SQLException e) {
                problem.compareAndSet("", e.toString());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                problem.compareAndSet("", "interrupted");
            }
        }
        producer.close();
        return problem();
    }
}
