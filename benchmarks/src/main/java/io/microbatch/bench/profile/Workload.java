package io.microbatch.bench.profile;

import io.microbatch.bench.load.Layout;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;

/**
 * What is sent. Immutable.
 *
 * @param name of its file
 * @param layout topics, partitions and groups
 * @param sizeBytes the size of an event, or a range of sizes such as {@code 64-1024}
 * @param payload {@code random} or {@code compressible}
 * @param ratesPerSec events per second, one after the other; 0 is as fast as it goes
 * @param warmUpSeconds how long a rate is held before it counts
 * @param seconds how long it counts
 * @param saturationBytes how much is sent where there is no rate
 */
public record Workload(
        String name,
        Layout layout,
        String sizeBytes,
        String payload,
        List<Integer> ratesPerSec,
        int warmUpSeconds,
        int seconds,
        int saturationBytes) {

    private static final String TOPICS = "topics";
    private static final String TOPIC_PARTITIONS = "topic.partitions";
    private static final String SOURCE_PARTITIONS = "source.partitions";
    private static final String GROUPS = "consumer.groups";
    private static final String SIZE = "size.bytes";
    private static final String PAYLOAD = "payload";
    private static final String RATES = "rates.per.sec";
    private static final String WARM_UP = "warmup.seconds";
    private static final String SECONDS = "seconds";
    private static final String SATURATION = "saturation.bytes";
    private static final List<String> KEYS = List.of(
            TOPICS, TOPIC_PARTITIONS, SOURCE_PARTITIONS, GROUPS, SIZE, PAYLOAD, RATES, WARM_UP, SECONDS, SATURATION);

    private static final int MIN_SMOKE_BYTES = 2_000_000;
    private static final int MAX_RATE = 2_000_000;

    /**
     * Reads it.
     *
     * @throws ProfileException if there is a key that it cannot have, or a value
     */
    public static Workload read(Path file) {
        YamlFile yaml = YamlFile.read(file, KEYS);
        Layout layout = new Layout(
                yaml.number(TOPICS, 1, 1_000, 1),
                yaml.number(TOPIC_PARTITIONS, 1, 1_000, 1),
                yaml.number(SOURCE_PARTITIONS, 1, 10_000, 1),
                yaml.number(GROUPS, 1, 16, 1));
        if (layout.topics() > layout.sourcePartitions()) {
            throw yaml.wrong(
                    TOPICS,
                    "is more than " + SOURCE_PARTITIONS + ": a source partition goes to one topic, so that "
                            + SOURCE_PARTITIONS + " has to be at least " + layout.topics());
        }
        Workload read = new Workload(
                Profiles.name(file),
                layout,
                yaml.text(SIZE, "[0-9]{2,7}(-[0-9]{2,7})?", "a number of bytes or a range such as 64-1024", "100"),
                yaml.text(PAYLOAD, "random|compressible", "random or compressible", "random"),
                yaml.numbers(RATES, 0, MAX_RATE, List.of(1_000)),
                yaml.number(WARM_UP, 0, 600, 3),
                yaml.number(SECONDS, 1, 3_600, 8),
                yaml.number(SATURATION, 1_000_000, 2_000_000_000, 200_000_000));
        if (read.leastBytes() < 40 || read.mostBytes() < read.leastBytes() || read.mostBytes() > 1_000_000) {
            throw yaml.wrong(SIZE, "is from 40, which the header of an event takes, to 1000000 bytes");
        }
        return read;
    }

    private int leastBytes() {
        return Integer.parseInt(sizeBytes.split("-", 2)[0]);
    }

    private int mostBytes() {
        String[] range = sizeBytes.split("-", 2);
        return Integer.parseInt(range[range.length - 1]);
    }

    /** The mean size of an event. */
    public int meanBytes() {
        return (leastBytes() + mostBytes()) / 2;
    }

    /** How many events are sent as fast as it goes. */
    public int saturationEvents() {
        return saturationBytes / meanBytes();
    }

    /** The last rate, for a scenario that needs only one. */
    public int lastRate() {
        return ratesPerSec.get(ratesPerSec.size() - 1);
    }

    /** The last rate that is not 0, for a scenario whose stream does not wait. Empty if there is none. */
    public OptionalInt lastSteadyRate() {
        return ratesPerSec.stream()
                .mapToInt(Integer::intValue)
                .filter(rate -> rate > 0)
                .reduce((earlier, later) -> later);
    }

    /** The same with another layout. */
    public Workload over(Layout other) {
        return new Workload(name, other, sizeBytes, payload, ratesPerSec, warmUpSeconds, seconds, saturationBytes);
    }

    /** The same with events of one size, and as many bytes where there is no rate, but this many events at least. */
    public Workload of(int eventBytes, int leastEvents) {
        return new Workload(
                name,
                layout,
                Integer.toString(eventBytes),
                payload,
                ratesPerSec,
                warmUpSeconds,
                seconds,
                Math.max(saturationBytes, leastEvents * eventBytes));
    }

    /** The same for so long only that it can be seen to work. */
    public Workload smoke() {
        return new Workload(
                name,
                layout,
                sizeBytes,
                payload,
                ratesPerSec,
                Math.min(1, warmUpSeconds),
                Math.min(1, seconds),
                Math.max(MIN_SMOKE_BYTES, Math.min(20 * meanBytes(), saturationBytes)));
    }
}
