package io.microbatch.bench.cdc.engine;

import io.debezium.engine.ChangeEvent;
import io.debezium.engine.DebeziumEngine;
import io.debezium.engine.DebeziumEngine.RecordCommitter;
import io.debezium.engine.format.Json;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * A Debezium connector in Debezium's engine, and a producer, in the way of Debezium Server: it sends each batch as
 * JSON, waits until Kafka has all of it, and marks it as processed. At least once. Files in a directory control it, so
 * that the process outlives an engine, as a worker outlives a connector: it runs an engine with the settings in {@value
 * #SETTINGS} while the file {@value #RUN} exists, and {@value #POLLING} exists while the engine polls. Ends on SIGTERM.
 */
public final class EngineToKafka {

    /** What its line begins with when it is ready. The directory follows. */
    public static final String READY = "waits for settings in ";

    /** The file with the settings of engine and connector. */
    public static final String SETTINGS = "settings";

    /** The file that says that an engine is to run. */
    public static final String RUN = "run";

    /** The file that says that the engine polls. */
    public static final String POLLING = "polling";

    private static final long LOOK_NANOS = 20_000_000;

    private final Path directory;
    private final KafkaProducer<String, String> producer;

    private EngineToKafka(Path directory, String bootstrapServers) {
        this.directory = directory;
        producer = new KafkaProducer<>(
                Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers, ProducerConfig.ACKS_CONFIG, "all"),
                new StringSerializer(),
                new StringSerializer());
    }

    /**
     * Runs until SIGTERM.
     *
     * @param arguments the directory of the files, and the bootstrap servers
     */
    public static void main(String[] arguments) throws Exception {
        EngineToKafka program = new EngineToKafka(Path.of(arguments[0]), arguments[1]);
        System.out.println(READY + arguments[0]);
        while (!Thread.currentThread().isInterrupted()) {
            program.await(RUN, true);
            program.runOnce();
        }
    }

    private void runOnce() throws IOException, InterruptedException {
        Properties settings = new Properties();
        try (Reader file = Files.newBufferedReader(directory.resolve(SETTINGS))) {
            settings.load(file);
        }
        DebeziumEngine<ChangeEvent<String, String>> engine = DebeziumEngine.create(Json.class)
                .using(settings)
                .using((success, message, error) -> ended(success, message, error))
                .using(new DebeziumEngine.ConnectorCallback() {
                    @Override
                    public void pollingStarted() {
                        polls();
                    }
                })
                .notifying((batch, committer) -> send(batch, committer))
                .build();
        Thread thread = new Thread(engine, "engine");
        thread.start();
        // An engine that is starting cannot be closed.
        await(POLLING, true);
        await(RUN, false);
        engine.close();
        thread.join();
        Files.delete(directory.resolve(POLLING));
    }

    private void await(String file, boolean exists) {
        while (Files.exists(directory.resolve(file)) != exists) {
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    private void polls() {
        try {
            Path ignored = Files.createFile(directory.resolve(POLLING));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void ended(boolean success, String message, Throwable error) {
        if (!success) {
            System.out.println(message + ": " + error);
            Runtime.getRuntime().halt(1);
        }
    }

    private void send(List<ChangeEvent<String, String>> batch, RecordCommitter<ChangeEvent<String, String>> committer)
            throws InterruptedException {
        List<Future<RecordMetadata>> sent = new ArrayList<>(batch.size());
        for (ChangeEvent<String, String> event : batch) {
            sent.add(producer.send(new ProducerRecord<>(event.destination(), event.key(), event.value())));
        }
        for (int i = 0; i < sent.size(); i++) {
            try {
                RecordMetadata ignored = sent.get(i).get();
            } catch (ExecutionException e) {
                throw new IllegalStateException("Kafka does not have an event", e);
            }
            committer.markProcessed(batch.get(i));
        }
        committer.markBatchFinished();
    }
}
