package io.microbatch.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;

/** What git calls the code of a checkout, so that a figure can be traced to it. Stateless. */
final class CodeVersion {

    static final String UNKNOWN = "unknown";

    /** They would lead git to another repository than the checkout's own. */
    private static final Set<String> ELSEWHERE = Set.of("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE");

    /** The variable with the name of the code, for a container, which has no repository. */
    static final String NAMED = "BENCH_CODE";

    private CodeVersion() {}

    /**
     * The commit by its nearest tag or its own abbreviated name, with {@code -dirty} behind it where a tracked file was
     * changed since. Where there is no git, or where the directory is not the top of a repository, what the variable
     * {@value #NAMED} of the environment says, or "unknown".
     */
    static String of(Path checkout) {
        String code = of(checkout, "git");
        return code.equals(UNKNOWN) ? named(System.getenv()) : code;
    }

    static String named(Map<String, String> environment) {
        String code = environment.getOrDefault(NAMED, UNKNOWN);
        return code.matches("[A-Za-z0-9._-]{1,100}") ? code : UNKNOWN;
    }

    static String of(Path checkout, String git) {
        try {
            Path top = checkout.toRealPath();
            ProcessBuilder builder = new ProcessBuilder(git, "--no-optional-locks", "describe", "--always", "--dirty")
                    .directory(top.toFile())
                    .redirectError(ProcessBuilder.Redirect.DISCARD);
            builder.environment().keySet().removeAll(ELSEWHERE);
            // An unpacked archive may lie in another repository, whose commits are not its own.
            if (top.getParent() != null) {
                builder.environment()
                        .put("GIT_CEILING_DIRECTORIES", top.getParent().toString());
            }
            Process process = builder.start();
            String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            return process.waitFor() == 0 && !printed.isEmpty() ? printed : UNKNOWN;
        } catch (IOException e) {
            return UNKNOWN;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return UNKNOWN;
        }
    }
}
