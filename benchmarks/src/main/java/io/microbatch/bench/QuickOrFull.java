package io.microbatch.bench;

import picocli.CommandLine.Option;

/** The choice between a look and a measurement. The page docs/benchmarks.md says how long each takes. */
public final class QuickOrFull {

    @Option(names = "--quick", required = true, description = "a few minutes, for a look")
    private boolean quick;

    @Option(names = "--full", required = true, description = "what a results page is made of")
    private boolean unusedFull; // what is not quick is full

    /** Whether it is a look. */
    public boolean isQuick() {
        return quick;
    }
}
