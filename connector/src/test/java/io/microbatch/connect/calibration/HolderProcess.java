package io.microbatch.connect.calibration;

import io.microbatch.connect.pressure.PressureLevel;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Another JVM that opens the calibration of the sample key's tasks, as a worker does for a connector. It prints whether
 * that succeeded, and holds the files until the JVM ends.
 */
final class HolderProcess implements AutoCloseable {
    private final Process process;
    private final String said;

    private HolderProcess(Process process, String said) {
        this.process = process;
        this.said = said;
    }

    /** Opens one task. */
    static HolderProcess start(Path directory, String... jvmOptions) throws IOException {
        return start(directory, 1, jvmOptions);
    }

    static HolderProcess start(Path directory, int tasks, String... jvmOptions) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx64m", "-XX:TieredStopAtLevel=1"));
        command.addAll(List.of(jvmOptions));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), HolderProcess.class.getName()));
        command.addAll(List.of(directory.toString(), Integer.toString(tasks)));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        // The stream ends with the process. So a JVM that cannot start fails the test instead of blocking it.
        BufferedReader lines = process.inputReader(StandardCharsets.UTF_8);
        StringBuilder all = new StringBuilder();
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            all.append(line).append('\n');
            if (line.startsWith("durable=")) {
                break;
            }
        }
        return new HolderProcess(process, all.toString());
    }

    public static void main(String[] args) throws IOException {
        Path directory = Path.of(args[0]);
        List<String> warnings = new ArrayList<>();
        List<CalibrationFile> files = new ArrayList<>();
        int known = 0;
        for (int task = 0; task < Integer.parseInt(args[1]); task++) {
            CalibrationKey key = Samples.keyOf(task);
            CalibrationFile file = new CalibrationFile(
                    () -> Samples.open(directory, key, StoreLimits.DEFAULT), System::nanoTime, warnings::add);
            file.append(Samples.observation(PressureLevel.L3_LOW, 1));
            file.putBest(Samples.best(PressureLevel.L3_LOW, 1));
            known += file.bests().size();
            files.add(file);
        }
        boolean durable = files.stream().allMatch(CalibrationFile::isDurable);
        System.out.println("durable=" + durable + " known=" + known + " warnings=" + warnings.size() + " " + warnings);
        int end = System.in.read();
        assert end < 0;
        files.forEach(CalibrationFile::close);
    }

    /** The standard output up to the status. */
    String said() {
        return said;
    }

    long pid() {
        return process.pid();
    }

    /** Kills the process like kill -9. */
    void kill() {
        process.destroyForcibly();
        process.onExit().join();
    }

    @Override
    public void close() throws IOException {
        process.getOutputStream().close();
        process.onExit().join();
    }
}
