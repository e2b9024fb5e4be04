package io.microbatch.bench.http.peer;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/**
 * A Jetty on a free port of 127.0.0.1 that sends what it gets. Prints its port when it is ready, and runs until it gets
 * SIGTERM.
 */
public final class IngestServer {

    /** What its line begins with when it is ready. The port follows. */
    public static final String READY = "listening on port ";

    /** A setting: {@link #SENDS}, {@link #TRANSACTIONS} or {@link #GROUPS}. */
    public static final String SENDING = "server.sending";

    /** Sends without transactions. */
    public static final String SENDS = "sends";

    /** A transaction for each request. */
    public static final String TRANSACTIONS = "transactions";

    /** A transaction for all requests that wait. */
    public static final String GROUPS = "groups";

    /** A setting: how long a group waits for more requests after its first one, in milliseconds. */
    public static final String GATHER_MS = "server.gather.ms";

    /** A setting: the producers that commit groups. */
    public static final String PRODUCERS = "server.producers";

    /** A setting: whether a thread waits for each request ({@code true}), or none does. */
    public static final String WAITING = "server.waiting";

    /** Enough for a thread for each connection of the largest load, and for Jetty's own. */
    private static final int MAX_THREADS = 1_100;

    private static final int IDLE_LIMIT_MS = 60_000;

    private final Map<String, String> settings;
    private final Map<String, Object> producerSettings = new HashMap<>();
    private final List<KafkaProducer<byte[], byte[]>> producers = new ArrayList<>();

    private IngestServer(Map<String, String> settings) {
        this.settings = settings;
        settings.forEach((key, value) -> {
            if (!key.startsWith("server.")) {
                producerSettings.put(key, value);
            }
        });
    }

    /**
     * Serves.
     *
     * @param arguments settings of the server and of its producers, all as {@code key=value}
     */
    public static void main(String[] arguments) throws Exception {
        Map<String, String> settings = new HashMap<>();
        for (String argument : arguments) {
            int equals = argument.indexOf('=');
            settings.put(argument.substring(0, equals), argument.substring(equals + 1));
        }
        new IngestServer(settings).serve();
    }

    private void serve() throws Exception {
        Server server = new Server(new QueuedThreadPool(MAX_THREADS));
        HttpConfiguration http = new HttpConfiguration();
        http.setSendServerVersion(false);
        http.setSendDateHeader(false);
        ServerConnector connector = new ServerConnector(server, new HttpConnectionFactory(http));
        connector.setHost("127.0.0.1");
        connector.setIdleTimeout(IDLE_LIMIT_MS);
        server.addConnector(connector);
        server.setHandler(handler());
        Runtime.getRuntime().addShutdownHook(new Thread(() -> producers.forEach(KafkaProducer::close), "close"));
        server.start();
        System.out.println(READY + connector.getLocalPort());
        server.join();
    }

    private IngestHandler handler() {
        boolean isWaiting = Boolean.parseBoolean(settings.get(WAITING));
        String sending = settings.get(SENDING);
        if (sending.equals(GROUPS)) {
            for (int i = 0; i < Integer.parseInt(settings.get(PRODUCERS)); i++) {
                transactionalProducer();
            }
            GroupTransactions groups = GroupTransactions.start(producers, Integer.parseInt(settings.get(GATHER_MS)));
            return isWaiting ? new WaitingHandler(groups) : new AsyncHandler(groups);
        }
        if (sending.equals(TRANSACTIONS)) {
            return new WaitingHandler(new TransactionEach(transactionalProducer()));
        }
        KafkaProducer<byte[], byte[]> producer = producer(Map.of());
        return isWaiting ? new WaitingHandler(new SendAndWait(producer)) : new AsyncHandler(new SendEach(producer));
    }

    private KafkaProducer<byte[], byte[]> transactionalProducer() {
        String id = "ingest-" + ProcessHandle.current().pid() + "-" + producers.size();
        KafkaProducer<byte[], byte[]> producer = producer(Map.of(ProducerConfig.TRANSACTIONAL_ID_CONFIG, id));
        producer.initTransactions();
        return producer;
    }

    private KafkaProducer<byte[], byte[]> producer(Map<String, String> identity) {
        Map<String, Object> all = new HashMap<>(producerSettings);
        all.putAll(identity);
        KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(all, new ByteArraySerializer(), new ByteArraySerializer());
        producers.add(producer);
        return producer;
    }
}
