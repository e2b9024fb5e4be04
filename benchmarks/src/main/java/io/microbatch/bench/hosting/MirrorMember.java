package io.microbatch.bench.hosting;

import io.microbatch.testbed.TopicReader;
import io.microbatch.testbed.oracle.Event;
import io.microbatch.testbed.oracle.EventText;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.AppInfoParser;

/** Kafka's mirror source, from a topic of the broker to another one of it. Either side mirrors the same topic. */
final class MirrorMember extends Member {

    /** As the results list it. */
    static final String NAME = "kafka-mirror-source";

    private static final int PARTITIONS = 6;
    private static final int TASKS = 3;
    private static final int TURNS_PER_SEC = 2;
    private static final int PER_TURN = 10;
    private static final int BURST = 300;
    private static final long SEND_LIMIT_SECONDS = 60;

    private final String source;
    private final long run;
    private final String bootstrapServers;
    private final Canary canary;
    private final Stage stage;
    private final long[] truth = new long[PARTITIONS];
    private KafkaProducer<byte[], byte[]> producer;

    /** Prepares it. */
    MirrorMember(String prefix, long run, Stage stage, Canary canary) {
        super(NAME, "MirrorSourceConnector " + AppInfoParser.getVersion(), TASKS, true);
        this.source = prefix + "mirrored";
        this.run = run;
        this.stage = stage;
        this.bootstrapServers = stage.bootstrapServers();
        this.canary = canary;
    }

    @Override
    List<Topic> topics(Side side) {
        // The mirror sets the timestamps of what it mirrors.
        return List.of(new Topic(side.text() + "." + source, PARTITIONS, true));
    }

    @Override
    Map<String, String> own(Side side) {
        Map<String, String> own = new HashMap<>();
        own.put("class", "org.apache.kafka.connect.mirror.MirrorSourceConnector");
        own.put("source.cluster.alias", side.text());
        own.put("target.cluster.alias", "target-" + side.text() + "-" + source);
        own.put("source.cluster.bootstrap.servers", bootstrapServers);
        own.put("target.cluster.bootstrap.servers", bootstrapServers);
        own.put("topics", source);
        own.put("replication.factor", "1");
        own.put("offset-syncs.topic.replication.factor", "1");
        own.put("sync.topic.acls.enabled", "false");
        own.put("sync.topic.configs.enabled", "false");
        own.put("refresh.topics.interval.seconds", "5");
        // Its documentation asks for this under exactly-once, and it refuses that without.
        own.put("consumer.isolation.level", "read_committed");
        own.put("password", canary.placeholder());
        return own;
    }

    @Override
    Map<String, String> around() {
        Map<String, String> around = new HashMap<>();
        around.put("tasks.max", Integer.toString(TASKS));
        for (String of : List.of("key", "value", "header")) {
            around.put(of + ".converter", "org.apache.kafka.connect.converters.ByteArrayConverter");
        }
        return around;
    }

    @Override
    void begin() {
        stage.create(List.of(new Topic(source, PARTITIONS, true)));
        producer = new KafkaProducer<>(Map.of(
                ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
                bootstrapServers,
                ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG,
                ByteArraySerializer.class,
                ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG,
                ByteArraySerializer.class));
        write(PER_TURN);
        writeSteadily(TURNS_PER_SEC, PER_TURN);
    }

    @Override
    void burst() {
        write(BURST);
    }

    @Override
    synchronized void write(int events) {
        List<Future<RecordMetadata>> sent = new ArrayList<>();
        for (int partition = 0; partition < PARTITIONS; partition++) {
            for (int i = 0; i < events; i++) {
                String text = EventText.of(new Event(run, partition, truth[partition]++, System.currentTimeMillis()));
                byte[] key = Long.toString(truth[partition]).getBytes(StandardCharsets.US_ASCII);
                ProducerRecord<byte[], byte[]> record =
                        new ProducerRecord<>(source, partition, key, text.getBytes(StandardCharsets.US_ASCII));
                record.headers().add("of", key);
                sent.add(producer.send(record));
            }
        }
        sent.forEach(MirrorMember::await);
    }

    private static void await(Future<RecordMetadata> sent) {
        try {
            RecordMetadata ignored = sent.get(SEND_LIMIT_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("the mirrored topic could not be written", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Override
    synchronized Delivered delivered(Side side, TopicReader reader) {
        Delivered delivered = new Delivered(run, truth.clone());
        reader.readCommitted(
                topics(side).get(0).name(), record -> delivered.saw(record, EventText.find(record.value())));
        return delivered;
    }

    @Override
    public void close() {
        super.close();
        if (producer != null) {
            producer.close();
        }
    }
}
