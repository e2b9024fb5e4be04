package io.microbatch.bench.load;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** CPU time of other processes, from the kernel's accounts (proc(5)). Stateless. */
public final class CpuClock {

    /** The kernel counts in hundredths of a second for user space, whatever its own tick. */
    private static final double TICKS_PER_SEC = 100;

    private static final int USER = 11;
    private static final int SYSTEM = 12;
    private static final int ENDED_CHILDREN_USER = 13;
    private static final int ENDED_CHILDREN_SYSTEM = 14;

    private CpuClock() {}

    /** User and system time of a process so far, in seconds. */
    public static double seconds(long pid) {
        try {
            return secondsOf(Files.readString(Path.of("/proc/" + pid + "/stat")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** User and system time of a process and of all its descendants so far, also of those that have ended. */
    public static double secondsOfTree(long pid) {
        double seconds;
        try {
            seconds = secondsWithEndedChildren(Files.readString(Path.of("/proc/" + pid + "/stat")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return seconds
                + ProcessHandle.of(pid).stream()
                        .flatMap(ProcessHandle::children)
                        .mapToDouble(child -> ofChild(child.pid()))
                        .sum();
    }

    /** What a child that has just ended has used is its parent's from then on. */
    private static double ofChild(long pid) {
        try {
            return secondsOfTree(pid);
        } catch (UncheckedIOException e) {
            return 0;
        }
    }

    /** User and system time of what the kernel says of a process or of a thread. */
    static double secondsOf(String stat) {
        return seconds(stat, USER, SYSTEM);
    }

    static double secondsWithEndedChildren(String stat) {
        return seconds(stat, USER, SYSTEM, ENDED_CHILDREN_USER, ENDED_CHILDREN_SYSTEM);
    }

    private static double seconds(String stat, int... parts) {
        // The name in parentheses may hold blanks.
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        long ticks = 0;
        for (int part : parts) {
            ticks += Long.parseLong(fields[part]);
        }
        return ticks / TICKS_PER_SEC;
    }
}
