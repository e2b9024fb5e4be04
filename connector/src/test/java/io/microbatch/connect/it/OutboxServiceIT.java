package io.microbatch.connect.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.microbatch.connect.it.Cluster.Mode;
import io.microbatch.testbed.Await;
import io.microbatch.testbed.ConnectWorker;
import io.microbatch.testbed.PostgresServer;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.postgresql.Driver;

/** The quick start of docs/outbox.md: tables, service and connector, while worker and database are killed. */
@ExtendWith(Cluster.Shared.class)
class OutboxServiceIT {

    private static final Path EXAMPLES = Path.of(System.getProperty("config.examples"));
    private static final Path DIRECTORY = EXAMPLES.resolve("outbox");
    private static final Path SERVICE = DIRECTORY.resolve("OrderService.java");
    private static final int PAYMENTS = 600;
    private static final int BEFORE_THE_KILL = 50;
    private static final long SERVICE_LIMIT_S = 180;
    private static final int MAX_LINES = 70;

    private final ObjectMapper json = new ObjectMapper();
    private final Cluster cluster;

    OutboxServiceIT(Cluster cluster) {
        this.cluster = cluster;
    }

    /** An event of the topic. */
    private record Paid(int order, int amount, int paid) {}

    @ParameterizedTest
    @EnumSource(Mode.class)
    void theTopicHasTheCommittedPaymentsInOrder(Mode mode) throws IOException, InterruptedException {
        String name = "outbox_service_" + mode.suffix().replace('-', '_');
        cluster.claim(name);
        String topic = name + ".orders";
        List<Process> services = new ArrayList<>();
        try (PostgresServer postgres = PostgresServer.start(cluster.directory().resolve(name));
                ConnectWorker worker = cluster.worker(mode, name).start()) {
            postgres.execute(
                    Files.readString(DIRECTORY.resolve("outbox.sql")),
                    Files.readString(DIRECTORY.resolve("orders.sql")));
            worker.rest().create(name, config(name, postgres));
            worker.awaitRunning(name, 1);

            services.add(start(postgres));
            services.add(start(postgres));
            awaitRecords(topic, BEFORE_THE_KILL);
            cluster.kill(worker);
            worker.restart();
            services.add(start(postgres));
            services.add(start(postgres));
            awaitRecords(topic, 2 * PAYMENTS + BEFORE_THE_KILL);
            postgres.kill();
            postgres.restart();
            for (Process service : services) {
                assertThat(service.waitFor(SERVICE_LIMIT_S, TimeUnit.SECONDS)).isTrue();
                assertThat(service.exitValue()).isZero();
            }

            assertThat(count(postgres)).isEqualTo(services.size() * PAYMENTS);
            Await.until(
                    "every payment",
                    OutboxFixture.PATIENCE,
                    () -> new HashSet<>(records(topic)).size() >= services.size() * PAYMENTS,
                    () -> records(topic).size() + " seen\n" + worker.logTail());
            Map<Integer, Integer> sums = sumsInTheOrderOfTheTopic(records(topic), mode);
            assertThat(sums).isEqualTo(ofTable(postgres));
            OutboxFixture.stop(worker.rest(), name);
        } finally {
            services.forEach(service -> {
                Process ignored = service.destroyForcibly();
            });
        }
    }

    /** The example, with this database. Both workers of the test use one broker, so each has topics of its own. */
    private Map<String, String> config(String name, PostgresServer postgres) throws IOException {
        JsonNode example =
                json.readTree(EXAMPLES.resolve("outbox.json").toFile()).path("config");
        Map<String, String> config = new HashMap<>();
        example.properties()
                .forEach(each -> config.put(each.getKey(), each.getValue().asText()));
        assertThat("outbox.event.orders").matches(config.get("upstream.outbox.topics"));
        config.put("upstream.outbox.jdbc.url", postgres.jdbcUrl());
        config.put("upstream.outbox.topic", name + ".${route}");
        config.put("upstream.outbox.topics", name + "[.]orders");
        config.put("calibration.directory", cluster.calibrationDirectory().toString());
        return config;
    }

    private static Path driver() {
        try {
            return Path.of(Driver.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Process start(PostgresServer postgres) throws IOException {
        Path driver = driver();
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        driver.toString(),
                        SERVICE.toString(),
                        postgres.jdbcUrl(),
                        postgres.user(),
                        postgres.password(),
                        Integer.toString(PAYMENTS))
                .inheritIO()
                .start();
    }

    private static int count(PostgresServer postgres) {
        List<Integer> count = new ArrayList<>();
        postgres.query("SELECT count(*) FROM payments", row -> count.add(row.getInt(1)));
        return count.get(0);
    }

    private static Map<Integer, Integer> ofTable(PostgresServer postgres) {
        Map<Integer, Integer> paid = new TreeMap<>();
        postgres.query("SELECT id, paid FROM orders", row -> paid.put(row.getInt(1), row.getInt(2)));
        return paid;
    }

    private void awaitRecords(String topic, int atLeast) {
        Await.until(
                atLeast + " records",
                OutboxFixture.PATIENCE,
                () -> records(topic).size() >= atLeast,
                () -> records(topic).size() + " seen");
    }

    private List<Paid> records(String topic) {
        return cluster.reader().readCommitted(topic).stream().map(this::paid).toList();
    }

    private Paid paid(ConsumerRecord<byte[], byte[]> record) {
        try {
            JsonNode event = json.readTree(record.value());
            return new Paid(
                    Integer.parseInt(OutboxFixture.text(record.key())),
                    event.path("amount").asInt(),
                    event.path("paid").asInt());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** What each order has paid in the end. Every event is checked to follow the one before it. */
    private static Map<Integer, Integer> sumsInTheOrderOfTheTopic(List<Paid> records, Mode mode) {
        Set<Paid> first = new LinkedHashSet<>(records);
        if (mode == Mode.EXACTLY_ONCE) {
            assertThat(records).hasSameSizeAs(first);
        }
        Map<Integer, Integer> sums = new TreeMap<>();
        for (Paid event : first) {
            int sum = sums.merge(event.order(), event.amount(), Integer::sum);
            assertThat(event.paid()).as("%s", event).isEqualTo(sum);
        }
        return sums;
    }

    @Test
    void thePageShowsTheStatementsAndTheTransactionOfTheService() throws IOException {
        assertThat(Files.readString(DIRECTORY.resolve("outbox.sql")))
                .contains(OutboxPage.sql("table"), OutboxPage.sql("relay"));
        String quoted = OutboxPage.block("service", "java");
        String service = Files.readString(SERVICE).replaceAll("(?m)^    ", "");
        assertThat(service).contains(quoted);
        assertThat(Files.readAllLines(SERVICE))
                .hasSizeLessThanOrEqualTo(MAX_LINES)
                .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(120));
    }
}
