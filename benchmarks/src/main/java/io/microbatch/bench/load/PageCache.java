package io.microbatch.bench.load;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * What the kernel keeps of files in memory. It is dropped file by file, as GNU coreutils can (posix_fadvise with
 * DONTNEED): that needs no root and takes nothing from others on the machine. Pages that a process has mapped stay.
 * What the host of a virtual machine keeps is out of reach. Stateless.
 */
public final class PageCache {

    private static final long LIMIT_SECONDS = 60;

    private PageCache() {}

    /** Writes what is not yet on the disk, and drops all pages. Answers why it could not, and nothing if it could. */
    public static String drop(List<Path> files) {
        for (Path file : files) {
            String problem = run("sync", file.toString());
            if (problem.isEmpty()) {
                problem = run("dd", "if=" + file, "iflag=nocache", "count=0", "status=none");
            }
            if (!problem.isEmpty()) {
                return problem;
            }
        }
        return "";
    }

    /** Bytes that a process has had read from a disk so far (proc(5)). Not a number where the system does not say. */
    public static double diskBytes(long pid) {
        try (Stream<String> lines = Files.lines(Path.of("/proc/" + pid + "/io"))) {
            return lines.filter(line -> line.startsWith("read_bytes:"))
                    .mapToDouble(line -> Double.parseDouble(line.substring(line.indexOf(':') + 1)))
                    .findFirst()
                    .orElse(Double.NaN);
        } catch (IOException e) {
            return Double.NaN;
        }
    }

    private static String run(String... command) {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            process.getOutputStream().close();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                return command[0] + " did not end";
            }
            return process.exitValue() == 0 ? "" : command[0] + " failed: " + said;
        } catch (IOException e) {
            return command[0] + " cannot be run: " + e.getMessage();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
