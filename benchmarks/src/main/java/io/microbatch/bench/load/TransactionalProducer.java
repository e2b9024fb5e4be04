package io.microbatch.bench.load;

import io.microbatch.connect.upstream.synthetic.SyntheticEvent;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * The ceiling: the same events sent by a producer alone, in transactions of the same length under exactly-once, without
 * Connect. Read and checked like every other run.
 */
public final class TransactionalProducer {

    private static final byte[] KEY = new byte[4];
    private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(90);

    private final LoadStack stack;
    private final PrintWriter out;

    /** On the brokers of this stack. */
    public TransactionalProducer(LoadStack stack, PrintWriter out) {
        this.stack = stack;
        this.out = out;
    }

    /**
     * Sends and checks.
     *
     * @param transactionEvents events of a transaction, under exactly-once
     * @param overrides producer settings
     */
    public LoadResult run(LoadSpec spec, int transactionEvents, Map<String, String> overrides) {
        stack.topics().create(List.of(spec.topic()), 1);
        try (Readers readers = new Readers(stack.bootstrapServers(), spec)) {
            CompletableFuture<Void> sent = new CompletableFuture<>();
            Thread thread = new Thread(() -> send(spec, transactionEvents, overrides, sent), "producer");
            thread.setDaemon(true);
            thread.start();
            long beganNanos = System.nanoTime();
            while (!readers.haveEnded()
                    && !sent.isCompletedExceptionally()
                    && System.nanoTime() - beganNanos < LIMIT_NANOS) {
                readers.poll();
            }
            String problem = sent.isCompletedExceptionally() ? "the producer failed" : "";
            LoadResult result = new LoadResult(
                    spec.promise(), readers.stop(), new Windows(List.of()), Double.NaN, Double.NaN, problem);
            result.printIfNotVerified(spec, out);
            return result;
        } finally {
            stack.topics().delete(List.of(spec.topic()));
        }
    }

    private void send(
            LoadSpec spec, int transactionEvents, Map<String, String> overrides, CompletableFuture<Void> sent) {
        Map<String, Object> settings = new HashMap<>(overrides);
        settings.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, stack.bootstrapServers());
        settings.put(ProducerConfig.ACKS_CONFIG, "all");
        boolean transactional = spec.delivery() == Delivery.EXACTLY_ONCE;
        if (transactional) {
            settings.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, spec.topic());
        }
        SyntheticEvent codec = new SyntheticEvent();
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
            if (transactional) {
                producer.initTransactions();
            }
            for (int from = 0; from < spec.events(); from += transactionEvents) {
                if (transactional) {
                    producer.beginTransaction();
                }
                Instant now = Instant.now();
                long epochNanos = now.getEpochSecond() * 1_000_000_000L + now.getNano();
                int to = Math.min(spec.events(), from + transactionEvents);
                for (int number = from; number < to; number++) {
                    byte[] value = codec.encode(0, 0, number, epochNanos, 100, false);
                    Object ignored = producer.send(new ProducerRecord<>(spec.topic(), 0, KEY, value));
                }
                if (transactional) {
                    producer.commitTransaction();
                }
            }
            producer.flush();
            sent.complete(null);
        } catch (RuntimeException e) {
            sent.completeExceptionally(e);
        }
    }
}
