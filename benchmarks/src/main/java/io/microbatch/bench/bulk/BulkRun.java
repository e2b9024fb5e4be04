package io.microbatch.bench.bulk;

import io.microbatch.bench.Comparison;
import io.microbatch.bench.load.Delivery;
import io.microbatch.bench.load.LoadRun;
import io.microbatch.bench.load.LoadStack;
import io.microbatch.bench.producer.Guarantee;
import io.microbatch.bench.producer.Payload;
import io.microbatch.bench.producer.ReadBack;
import io.microbatch.bench.producer.SendMode;
import io.microbatch.bench.producer.SendRun;
import io.microbatch.connect.bulk.BulkLimits;
import io.microbatch.connect.bulk.BulkReader;
import io.microbatch.testbed.ConnectRest;
import io.microbatch.testbed.ConnectWorker;
import io.microbatch.testbed.oracle.Findings;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Lets one contender move events, and reads them back afterwards, so that reading takes no processor from the run. */
final class BulkRun {

    static final int EVENT_BYTES = 64;
    private static final long MAX_MS = 60_000;
    private static final String BYTES = "org.apache.kafka.connect.converters.ByteArrayConverter";

    private final LoadStack stack;
    private final Payload.Kind payload;
    private final Map<String, String> settings;
    private int runs;

    /** On this stack, with more settings for the connector with bulk records. */
    BulkRun(LoadStack stack, Payload.Kind payload, Map<String, String> settings) {
        this.stack = stack;
        this.payload = payload;
        this.settings = settings;
    }

    /** Keys that each run sets to something of its own. */
    private static final Set<String> RUNS_OWN =
            Set.of("calibration.directory", "upstream.synthetic.topic", "upstream.synthetic.events.per.partition");

    /**
     * What became of it.
     *
     * @param found about every event
     * @param records that they were in
     * @param perSec events per second up to the last commit
     */
    record Result(Findings found, long records, double perSec) {

        boolean isVerified() {
            return found.isExactlyOnce();
        }

        String text() {
            return String.format(
                    Locale.ROOT, "%,d records, %s%s", records, found, isVerified() ? "" : "  NOT VERIFIED");
        }
    }

    Result run(BulkContender contender, int events) {
        String topic = "bulk-" + payload.text() + "-" + runs++;
        stack.topics().create(List.of(topic), 1);
        try {
            return contender.sendMode() == null
                    ? throughWorker(contender, topic, events)
                    : raw(contender.sendMode(), topic, events);
        } finally {
            stack.topics().delete(List.of(topic));
        }
    }

    private Result raw(SendMode mode, String topic, int events) {
        SendRun.Sent sent = new SendRun(topic, mode, Guarantee.TRANSACTIONAL, new Payload(payload, EVENT_BYTES))
                .send(stack.bootstrapServers(), MAX_MS, events);
        ReadBack back = new ReadBack((int) sent.events(), ReadBack.side(EVENT_BYTES));
        Findings found = back.read(stack.bootstrapServers(), topic);
        return new Result(found, back.records(), sent.events() * 1e9 / sent.transactionalNanos());
    }

    private Result throughWorker(BulkContender contender, String topic, int events) {
        // One name for all rounds: what was learned is kept, as it is in use.
        String connector = Comparison.key(contender).replace('_', '-') + "-" + payload.text();
        ConnectWorker worker = stack.worker(Delivery.EXACTLY_ONCE);
        ConnectRest rest = worker.rest();
        CommittedEnd end = new CommittedEnd(stack.bootstrapServers(), topic);
        try (end) {
            rest.create(connector, config(contender, connector, topic, events));
            long beganNanos = System.nanoTime();
            // A pause of the machine looks like the end, but for the committed offset.
            do {
                end.follow(() -> rest.status(connector).hasFailed(), MAX_MS);
            } while (LoadRun.committed(rest.offsets(connector)) < events
                    && !rest.status(connector).hasFailed()
                    && System.nanoTime() - beganNanos < TimeUnit.MILLISECONDS.toNanos(MAX_MS));
            rest.stop(connector);
            rest.awaitState(connector, "STOPPED");
            rest.resetOffsets(connector);
            rest.delete(connector);
        }
        ReadBack back = new ReadBack(
                events, contender.isBulk() ? BulkRun::unpack : (value, v) -> v.event(value, 0, value.length));
        // From the first commit on: before it the worker looks the topic up and the producer learns where it is.
        back.mark(end.first());
        Findings found = back.read(stack.bootstrapServers(), topic);
        long tookNanos = end.passedNanos(back.lastOffset()) - end.passedNanos(end.first() - 1);
        return new Result(found, back.records(), (events - back.eventsBeforeMark()) * 1e9 / Math.max(1, tookNanos));
    }

    private static void unpack(byte[] record, ReadBack.Visitor visitor) {
        BulkReader reader = new BulkReader(BulkLimits.DEFAULT).read(record);
        while (reader.next()) {
            visitor.event(reader.array(), reader.valueOffset(), reader.valueLength());
        }
    }

    /** What a contender is configured with, but for the names of a run. */
    Map<String, String> settings(BulkContender contender) {
        if (contender.sendMode() != null) {
            return Map.of("send.mode", contender.sendMode().text());
        }
        Map<String, String> shown = config(contender, "", "", 0);
        shown.keySet().removeAll(RUNS_OWN);
        return shown;
    }

    private Map<String, String> config(BulkContender contender, String connector, String topic, int events) {
        Map<String, String> config = new LinkedHashMap<>();
        config.put("connector.class", "io.microbatch.connect.MicrobatchSourceConnector");
        config.put("tasks.max", "1");
        config.put("key.converter", BYTES);
        config.put("value.converter", BYTES);
        config.put("upstream.type", "synthetic");
        config.put("upstream.synthetic.topic", topic);
        config.put("upstream.synthetic.rate", "0");
        config.put("upstream.synthetic.events.per.partition", Integer.toString(events));
        config.put("upstream.synthetic.size.bytes", Integer.toString(EVENT_BYTES));
        config.put("upstream.synthetic.payload", payload.text());
        config.put(
                "calibration.directory", stack.calibration().resolve(connector).toString());
        // Otherwise the last events of a finite stream wait a quarter of the linger of a level whose budget is seconds.
        config.put("latency.target.ms", "500");
        config.put("producer.override.batch.size", "1000000");
        config.put("producer.override.linger.ms", "0");
        config.put("producer.override.compression.type", "lz4");
        // The client's default, and the producers'; a worker's is 1.
        config.put("producer.override.max.in.flight.requests.per.connection", "5");
        if (contender.isBulk()) {
            config.put("bulk.enabled", "true");
            config.putAll(settings);
        }
        return config;
    }
}
