package io.microbatch.connect.it.stubborn;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.source.SourceRecord;
import org.apache.kafka.connect.source.SourceTask;

/**
 * Counts upwards from its committed offset, holds a port while it runs, and hangs on commands of its control directory.
 */
public final class StubbornTask extends SourceTask {

    private static final AtomicInteger INSTANCES = new AtomicInteger();
    private static final Map<String, String> PARTITION = Map.of("source", "numbers");
    private static final int BATCH = 5;
    private static final long PAUSE_NANOS = 20_000_000;

    private final String who = "task-" + INSTANCES.incrementAndGet();
    private Control control;
    private ServerSocket port;
    private String topic;
    private long next;

    /** Called by reflection. */
    public StubbornTask() {}

    @Override
    public void start(Map<String, String> properties) {
        control = new Control(properties.get(Control.KEY));
        topic = properties.get("topic");
        try {
            port = new ServerSocket();
            port.bind(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(properties.get("port"))));
        } catch (IOException e) {
            throw new ConnectException("The port " + properties.get("port") + " is not available", e);
        }
        boolean hung = control.enter(who, "start");
        if (!hung) {
            Map<String, Object> offset = context.offsetStorageReader().offset(PARTITION);
            next = offset == null ? 0 : (Long) offset.get("next");
        }
        control.note(who + " started at " + next);
    }

    @Override
    public List<SourceRecord> poll() {
        control.enter(who, "poll");
        List<SourceRecord> records = new ArrayList<>();
        for (int i = 0; i < BATCH; i++) {
            String value = Long.toString(next++);
            records.add(new SourceRecord(PARTITION, Map.of("next", next), topic, Schema.STRING_SCHEMA, value));
        }
        LockSupport.parkNanos(PAUSE_NANOS);
        return records;
    }

    @Override
    public void commitRecord(SourceRecord record, RecordMetadata metadata) {
        control.enter(who, "commitRecord");
    }

    @Override
    public void commit() {
        control.enter(who, "commit");
    }

    @Override
    public void stop() {
        if (control != null) {
            control.enter(who, "stop");
        }
        try {
            port.close();
        } catch (IOException e) {
            throw new ConnectException("The port cannot be released", e);
        }
    }

    @Override
    public String version() {
        return "1";
    }
}
