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

    private CpuClock() {}

    /** User and system time of a process so far, in seconds. */
    public static double seconds(long pid) {
        try {
            return secondsOf(Files.readString(Path.of("/proc/" + pid + "/stat")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The same of what the kernel says of a process or of a thread. */
    static double secondsOf(String stat) {
        // The name in parentheses may hold blanks.
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        return (Long.parseLong(fields[USER]) + Long.parseLong(fields[SYSTEM])) / TICKS_PER_SEC;
    }
}
