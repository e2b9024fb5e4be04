package io.microbatch.bench.scenario;

import io.microbatch.bench.load.CatchUp;
import io.microbatch.bench.load.LoadSpec;
import io.microbatch.bench.load.LoadStack;
import io.microbatch.bench.load.PageCache;
import io.microbatch.bench.load.TopicFiles;
import java.util.EnumMap;
import java.util.Map;

/**
 * Reading apart from writing: a new consumer group reads what a run has written, from the page cache or after a restart
 * of the broker from the disk. Immutable.
 *
 * @param read what the group showed
 * @param cold whether the broker was restarted before
 * @param topicMb the size of the topics on the broker's disk, 10^6 bytes
 * @param diskMb what the brokers read from the disk for it, 10^6 bytes; not a number where the system does not say
 * @param cacheProblem why the page cache could not be dropped; empty if it was, or was to stay
 */
record Consumption(CatchUp read, boolean cold, double topicMb, double diskMb, String cacheProblem) {

    /** Reads. If it is to be cold, restarts the brokers first, and drops what the kernel keeps of the topics. */
    static Consumption of(LoadStack stack, LoadSpec spec, boolean cold) {
        TopicFiles files = TopicFiles.of(stack.directory(), spec);
        String problem = "";
        if (cold) {
            stack.restartBrokers();
            problem = PageCache.drop(files.segments());
        }
        double before = diskBytes(stack);
        CatchUp read = CatchUp.read(stack.bootstrapServers(), spec, cold ? "cold" : "warm");
        return new Consumption(read, cold, files.mb(), (diskBytes(stack) - before) / 1e6, problem);
    }

    private static double diskBytes(LoadStack stack) {
        return stack.brokerPids().stream().mapToDouble(PageCache::diskBytes).sum();
    }

    Map<Figure, Double> figures() {
        Map<Figure, Double> figures = new EnumMap<>(Figure.class);
        figures.put(Figure.TOPIC_MB, topicMb);
        figures.put(cold ? Figure.COLD_PER_SEC : Figure.WARM_PER_SEC, read.perSec());
        figures.put(cold ? Figure.COLD_MB_PER_SEC : Figure.WARM_MB_PER_SEC, read.mbPerSec());
        figures.put(cold ? Figure.COLD_P50_MS : Figure.WARM_P50_MS, read.waitMs(50));
        figures.put(cold ? Figure.COLD_P95_MS : Figure.WARM_P95_MS, read.waitMs(95));
        figures.put(cold ? Figure.COLD_P99_MS : Figure.WARM_P99_MS, read.waitMs(99));
        figures.put(cold ? Figure.COLD_DISK_MB : Figure.WARM_DISK_MB, diskMb);
        return figures;
    }
}
