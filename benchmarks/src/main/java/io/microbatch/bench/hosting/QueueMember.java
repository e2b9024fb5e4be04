package io.microbatch.bench.hosting;

import io.microbatch.testbed.TopicReader;
import io.microbatch.testbed.oracle.Event;
import io.microbatch.testbed.oracle.EventText;
import io.microbatch.testbed.reference.QueueServer;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;

/** A reference connector over queues, the same messages in those of either side. */
final class QueueMember extends Member {

    private static final int TURNS_PER_SEC = 2;
    private static final String CLASS = "io.microbatch.testbed.reference.ReferenceConnector";
    private static final int EVERY_SHAPE_PARTITIONS = 3;

    private final Family family;
    private final String prefix;
    private final long run;
    private final QueueServer server;
    private final Canary canary;
    private final long[] truth;

    /**
     * Prepares it.
     *
     * @param prefix what its queues and topics begin with
     * @param run what its events carry as their run
     */
    QueueMember(Family family, String prefix, long run, QueueServer server, Canary canary) {
        super(family.text(), "reference connector of the testbed", family.tasks(), family.resumesExactly());
        this.family = family;
        this.prefix = prefix + family.text();
        this.run = run;
        this.server = server;
        this.canary = canary;
        this.truth = new long[family.everyShape() ? EVERY_SHAPE_PARTITIONS : family.tasks()];
    }

    @Override
    Duration patience() {
        return family.patience();
    }

    @Override
    List<Topic> topics(Side side) {
        return List.of(new Topic(topic(side), family.everyShape() ? EVERY_SHAPE_PARTITIONS : 1, family.everyShape()));
    }

    private String topic(Side side) {
        return prefix + "-" + side.text();
    }

    @Override
    Map<String, String> own(Side side) {
        Map<String, String> own = new HashMap<>(family.settings());
        own.put("class", CLASS);
        own.put("queue.address", server.address());
        own.put("queue.name", topic(side));
        own.put("topic", topic(side));
        own.put("password", canary.placeholder());
        return own;
    }

    @Override
    Map<String, String> around() {
        Map<String, String> around = new HashMap<>();
        around.put("tasks.max", Integer.toString(family.tasks()));
        if (family.settings().containsKey("boundary.every")) {
            around.put("transaction.boundary", "connector");
        }
        return around;
    }

    @Override
    void begin() {
        writeSteadily(TURNS_PER_SEC, family.perTurn());
    }

    @Override
    void burst() {
        write(family.burst());
    }

    /** Puts this number of messages into every queue of either side. Called by the writer's thread and the bench's. */
    @Override
    synchronized void write(int messages) {
        for (int i = 0; i < messages; i++) {
            for (int task = 0; task < family.tasks(); task++) {
                // A queue of every shape goes to several partitions, in turn.
                int partition = family.everyShape() ? (int) (total() % truth.length) : task;
                String body = EventText.of(new Event(run, partition, truth[partition], System.currentTimeMillis()));
                truth[partition]++;
                for (Side side : Side.values()) {
                    server.put(topic(side) + "-" + task, body);
                }
            }
        }
    }

    private long total() {
        return Arrays.stream(truth).sum();
    }

    @Override
    synchronized Delivered delivered(Side side, TopicReader reader) {
        Delivered delivered = new Delivered(run, truth.clone());
        reader.readCommitted(topic(side), record -> delivered.saw(record, event(record)));
        return delivered;
    }

    private static Event event(ConsumerRecord<byte[], byte[]> record) {
        Header header = record.headers().lastHeader("event");
        return EventText.find(header == null ? record.value() : header.value());
    }
}
