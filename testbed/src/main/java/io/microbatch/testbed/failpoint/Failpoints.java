package io.microbatch.testbed.failpoint;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.connect.source.SourceRecord;

/**
 * The worker's part of the failpoints, which the woven code calls. At most one point is armed at a time. A daemon
 * thread follows the control directory. A point that is not armed costs one volatile read.
 *
 * <p>Public because the woven code is in other packages.
 */
public final class Failpoints {

    static final String ARMED_FILE = "armed";
    static final String HIT_FILE = "hit";
    /** The exit code that a shell reports of a process that was killed with SIGKILL. */
    static final int KILLED = 137;

    /** Connect's client id of the producer of a task, in the name of its sender thread. */
    private static final String TASK_PRODUCER = "| connector-producer-";

    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private static volatile Armed armed;
    private static volatile Path directory;

    /** The last record that each task returned. */
    private static final ThreadLocal<Object> LAST = new ThreadLocal<>();

    private Failpoints() {}

    private record Armed(String line, int point, FailpointAction action, AtomicInteger hitsLeft) {

        static Armed parse(String line) {
            String[] fields = line.trim().split(" ", 4);
            return new Armed(
                    line,
                    Failpoint.valueOf(fields[1]).ordinal(),
                    FailpointAction.valueOf(fields[2]),
                    new AtomicInteger(Integer.parseInt(fields[3])));
        }

        boolean isDueAt(int reached) {
            return point == reached && hitsLeft.get() > 0 && hitsLeft.decrementAndGet() == 0;
        }
    }

    static void follow(Path control) {
        directory = control;
        Thread thread = new Thread(Failpoints::follow, "failpoints");
        thread.setDaemon(true);
        thread.start();
    }

    private static void follow() {
        while (true) {
            Armed now = armed;
            String line = read();
            if (line == null) {
                armed = null;
            } else if (now == null || !line.equals(now.line())) {
                armed = Armed.parse(line);
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    private static String read() {
        try {
            return Files.readString(directory.resolve(ARMED_FILE));
        } catch (IOException e) {
            // The file is absent: nothing is armed.
            return null;
        }
    }

    /** Called by woven code at a point without a batch. */
    public static void hit(int point) {
        Armed now = armed;
        if (now != null && now.isDueAt(point)) {
            List<?> ignored = act(now, null);
        }
    }

    /** Called by woven code in the sender thread of a producer. Only the producers of tasks count. */
    public static void hitByTaskProducer(int point) {
        if (armed != null && Thread.currentThread().getName().contains(TASK_PRODUCER)) {
            hit(point);
        }
    }

    /**
     * Called by woven code with the batch that is about to be returned, if any. Returns the batch to return instead.
     */
    public static List<?> hit(int point, List<?> batch) {
        if (batch != null) {
            LAST.set(batch.get(batch.size() - 1));
        }
        Armed now = armed;
        return now != null && now.point() == point && suits(now.action(), batch) && now.isDueAt(point)
                ? act(now, batch)
                : batch;
    }

    private static boolean suits(FailpointAction action, List<?> batch) {
        return switch (action) {
            case SWAP -> batch != null && swappable(batch) >= 0;
            case DROP, DUPLICATE -> batch != null && batch.size() > 2;
            case ALTER -> batch != null && batch.size() > 2 && middleBytes(batch).length > 0;
            case REPEAT_LAST -> batch == null && LAST.get() != null;
            default -> true;
        };
    }

    private static List<?> act(Armed due, List<?> batch) {
        report(due);
        String what = "failpoint " + Failpoint.values()[due.point()];
        switch (due.action()) {
            case HALT -> Runtime.getRuntime().halt(KILLED);
            case HANG -> hang(due);
            case THROW -> throw new IllegalStateException(what);
            case OUT_OF_MEMORY -> throw new OutOfMemoryError(what);
            case REPEAT_LAST -> {
                return List.of(LAST.get());
            }
            case ALTER -> {
                // In place: Connect acknowledges the record that it was given, so it must stay the same object.
                byte[] value = middleBytes(batch);
                value[value.length - 1] ^= 1;
            }
            default -> {
                return mutated(due.action(), batch);
            }
        }
        return batch;
    }

    private static List<?> mutated(FailpointAction action, List<?> batch) {
        List<Object> mutated = new ArrayList<>(batch);
        switch (action) {
            case DROP -> mutated.remove(middle(batch));
            case DUPLICATE -> mutated.add(middle(batch), batch.get(middle(batch)));
            default -> {
                int first = swappable(batch);
                int second = nextOfSamePartition(batch, first);
                mutated.set(first, batch.get(second));
                mutated.set(second, batch.get(first));
            }
        }
        return mutated;
    }

    /** Not the last record, because it carries the state of its batch. */
    private static int middle(List<?> batch) {
        return (batch.size() - 1) / 2;
    }

    private static byte[] middleBytes(List<?> batch) {
        return ((SourceRecord) batch.get(middle(batch))).value() instanceof byte[] bytes ? bytes : new byte[0];
    }

    private static int swappable(List<?> batch) {
        for (int i = 0; i < batch.size(); i++) {
            if (nextOfSamePartition(batch, i) >= 0) {
                return i;
            }
        }
        return -1;
    }

    private static int nextOfSamePartition(List<?> batch, int index) {
        Object partition = ((SourceRecord) batch.get(index)).sourcePartition();
        for (int i = index + 1; i < batch.size(); i++) {
            if (((SourceRecord) batch.get(i)).sourcePartition().equals(partition)) {
                return i;
            }
        }
        return -1;
    }

    private static void hang(Armed due) {
        boolean interrupted = false;
        while (due.equals(armed)) {
            LockSupport.parkNanos(LOOK_NANOS);
            interrupted |= Thread.interrupted();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static void report(Armed due) {
        try {
            Files.write(directory.resolve(HIT_FILE), List.of(due.line()));
        } catch (IOException e) {
            System.err.println("failpoints: cannot report the hit: " + e);
        }
    }
}
