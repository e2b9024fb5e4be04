package io.microbatch.bench.http.peer;

import java.util.HashMap;
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
 * A Jetty on a free port of 127.0.0.1 that sends what it gets with one producer, on the thread of the request. Prints
 * its port when it is ready, and runs until it gets SIGTERM.
 */
public final class IngestServer {

    /** What its line begins with when it is ready. The port follows. */
    public static final String READY = "listening on port ";

    /** The argument for a transaction of each request. */
    public static final String TRANSACTIONS = "transactions";

    /** The argument for a transaction of all requests that wait. */
    public static final String GROUPS = "groups";

    /** The same with a wait for more requests after the first one. The milliseconds follow. */
    public static final String GROUPS_AFTER = "groups-after-";

    /** The argument for sends without transactions. */
    public static final String SENDS = "sends";

    /** Enough for a thread for each connection of the largest load, and for Jetty's own. */
    private static final int MAX_THREADS = 1_100;

    private static final int IDLE_LIMIT_MS = 60_000;

    private IngestServer() {}

    /**
     * Serves.
     *
     * @param arguments the bootstrap servers, {@value #SENDS}, {@value #TRANSACTIONS}, {@value #GROUPS} or {@value
     *     #GROUPS_AFTER} with milliseconds, and producer settings as {@code key=value}
     */
    public static void main(String[] arguments) throws Exception {
        boolean transactional = !arguments[1].equals(SENDS);
        Map<String, Object> settings = new HashMap<>();
        settings.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, arguments[0]);
        settings.put(ProducerConfig.ACKS_CONFIG, "all");
        for (int i = 2; i < arguments.length; i++) {
            int equals = arguments[i].indexOf('=');
            settings.put(arguments[i].substring(0, equals), arguments[i].substring(equals + 1));
        }
        if (transactional) {
            settings.put(
                    ProducerConfig.TRANSACTIONAL_ID_CONFIG,
                    "ingest-" + ProcessHandle.current().pid());
        }
        KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
        if (transactional) {
            producer.initTransactions();
        }
        Server server = new Server(new QueuedThreadPool(MAX_THREADS));
        HttpConfiguration http = new HttpConfiguration();
        http.setSendServerVersion(false);
        http.setSendDateHeader(false);
        ServerConnector connector = new ServerConnector(server, new HttpConnectionFactory(http));
        connector.setHost("127.0.0.1");
        connector.setIdleTimeout(IDLE_LIMIT_MS);
        server.addConnector(connector);
        server.setHandler(new IngestHandler(sending(arguments[1], producer)));
        Runtime.getRuntime().addShutdownHook(new Thread(producer::close, "close-producer"));
        server.start();
        System.out.println(READY + connector.getLocalPort());
        server.join();
    }

    private static Sending sending(String kind, KafkaProducer<byte[], byte[]> producer) {
        if (kind.startsWith(GROUPS_AFTER)) {
            return GroupTransactions.start(producer, Integer.parseInt(kind.substring(GROUPS_AFTER.length())));
        }
        return switch (kind) {
            case SENDS -> new SendAndWait(producer);
            case TRANSACTIONS -> new TransactionEach(producer);
            case GROUPS -> GroupTransactions.start(producer, 0);
            default -> throw new IllegalArgumentException(kind);
        };
    }
}
