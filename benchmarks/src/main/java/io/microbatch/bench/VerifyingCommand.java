package io.microbatch.bench;

import io.microbatch.testbed.WorkDirectory;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * A command that checks every event it moves: ends with {@code VERIFIED: YES} and exit code 0, or {@code NO} and 1, and
 * writes {@code verified} as the first key of its JSON. One thread.
 */
public abstract class VerifyingCommand implements Callable<Integer> {

    @Mixin
    private ResultFile resultFile;

    @Spec
    private CommandSpec spec;

    private final ContenderSettings settings = new ContenderSettings();
    private int rounds;
    private boolean verified = true;

    /** Measures, and answers the figures. */
    protected abstract Map<String, Object> measure() throws IOException;

    /** Where progress and figures go. */
    protected final PrintWriter out() {
        return spec.commandLine().getOut();
    }

    /** The brokers that are measured. To be called while they run, again for those that replace them. */
    protected final void measuredOn(String bootstrapServers) {
        resultFile.measuredOn(bootstrapServers);
    }

    /** What servers that this process did not start are run with, by what they are, for the result. */
    protected final void serversHave(Map<String, String> heaps) {
        resultFile.serversHave(heaps);
    }

    /** What a contender is configured with, for the result. The first call for a contender counts. */
    protected final void configured(String contender, Map<String, String> contenderSettings) {
        settings.add(contender, contenderSettings);
    }

    /** The same of a contender whose settings differ from situation to situation. */
    protected final void configured(String contender, String situation, Map<String, String> contenderSettings) {
        settings.add(contender, situation, contenderSettings);
    }

    /** How many rounds count, as the user or the preset chose it: for the result. */
    protected final void repeated(int times) {
        rounds = times;
    }

    /** A run that counts was verified, or was not. Answers the same. To be called while the servers run. */
    protected final boolean note(boolean runVerified) {
        resultFile.lookAtServers();
        verified &= runVerified;
        return runVerified;
    }

    /** A line of progress, to be seen at once. */
    protected final void say(String line) {
        out().println(line);
        out().flush();
    }

    /** Saves the logs of all processes below a directory that is about to be deleted. */
    protected final void keepLogs(Path work, String name) {
        Path kept = BenchHome.root().resolve("benchmarks/target/" + name);
        WorkDirectory.keepLogs(work, kept);
        say("logs of all processes: " + kept);
    }

    /** Those that the user names, in the user's order, or all of them where the user names none. */
    protected final <C> List<C> chosen(List<String> names, List<C> all, Function<C, String> nameOf) {
        if (names == null) {
            return all;
        }
        Map<String, C> byName = new LinkedHashMap<>();
        all.forEach(each -> byName.put(nameOf.apply(each), each));
        return names.stream()
                .distinct()
                .map(name -> Optional.ofNullable(byName.get(name))
                        .orElseThrow(() ->
                                wrong("no contender " + name + "; there are " + String.join(", ", byName.keySet()))))
                .toList();
    }

    /** A command line that is not valid: ends with exit code 2 when it is thrown. */
    protected final ParameterException wrong(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    @Override
    public Integer call() throws IOException {
        Map<String, Object> figures;
        try {
            figures = measure();
        } catch (ParameterException e) {
            throw e;
        } catch (IOException | RuntimeException e) {
            // Otherwise the file may be that of an earlier run, which was verified.
            Map<String, Object> failed = new LinkedHashMap<>();
            failed.put("verified", false);
            failed.put("problem", e.toString());
            resultFile.write(failed);
            throw e;
        }
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("verified", verified);
        if (rounds > 0) {
            result.put("rounds", rounds);
        }
        result.putAll(figures);
        if (!settings.all().isEmpty()) {
            result.put("settings", settings.all());
        }
        resultFile.write(result);
        say("VERIFIED: " + (verified ? "YES" : "NO"));
        return verified ? 0 : 1;
    }
}
