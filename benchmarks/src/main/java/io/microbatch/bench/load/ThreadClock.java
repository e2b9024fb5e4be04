package io.microbatch.bench.load;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;

/**
 * CPU time of a worker's threads by what they do for one connector, from the kernel's accounts (proc(5)), which know a
 * thread by the first 15 characters of its name. What a thread used that ended in between is not seen. Stateless.
 */
public final class ThreadClock {

    /** What a thread does. */
    public enum Part {
        /** The garbage collector, in pauses and concurrently. */
        COLLECTOR,
        /** The just-in-time compilers. */
        COMPILERS,
        /** Debezium's reading thread. */
        DEBEZIUM,
        /** Our reader threads. */
        READER,
        /** The task: poll, convert, send, commit. */
        TASK,
        /** The producers' network threads. */
        PRODUCER,
        /** All others. */
        OTHER
    }

    private static final int NAME_CHARS = 15;

    /**
     * CPU time by thread, in seconds.
     *
     * @param secByThread by the kernel's number of the thread
     */
    public record ThreadTimes(Map<Long, Map.Entry<Part, Double>> secByThread) {

        /** What each part has used since, in seconds. Nothing for parts without threads. */
        public Map<Part, Double> since(ThreadTimes earlier) {
            Map<Part, Double> used = new EnumMap<>(Part.class);
            secByThread.forEach((thread, now) -> {
                Map.Entry<Part, Double> before = earlier.secByThread().get(thread);
                double sec = now.getValue() - (before == null ? 0 : before.getValue());
                double ignored = used.merge(now.getKey(), sec, Double::sum);
            });
            return used;
        }
    }

    private ThreadClock() {}

    /** The threads of a process, as they are while it runs this connector. */
    public static ThreadTimes read(long pid, String connector) {
        Map<Long, Map.Entry<Part, Double>> secByThread = new HashMap<>();
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(Path.of("/proc/" + pid + "/task"))) {
            for (Path thread : threads) {
                long id = Long.parseLong(thread.getFileName().toString());
                try {
                    String stat = Files.readString(thread.resolve("stat"));
                    String name = stat.substring(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
                    secByThread.put(id, Map.entry(part(name, connector), CpuClock.secondsOf(stat)));
                } catch (IOException e) {
                    // It has ended since it was listed.
                    continue;
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new ThreadTimes(secByThread);
    }

    static Part part(String name, String connector) {
        String reader = connector + "-";
        if (name.startsWith("GC ") || name.startsWith("G1 ") || name.equals("VM Thread")) {
            return Part.COLLECTOR;
        } else if (name.startsWith("C1 ") || name.startsWith("C2 ")) {
            return Part.COMPILERS;
        } else if (name.startsWith("debezium-")) {
            return Part.DEBEZIUM;
        } else if (name.startsWith("task-thread-")) {
            return Part.TASK;
        } else if (name.startsWith("kafka-producer-")) {
            return Part.PRODUCER;
        } else if (name.startsWith(reader.substring(0, Math.min(NAME_CHARS, reader.length())))) {
            return Part.READER;
        }
        return Part.OTHER;
    }
}
