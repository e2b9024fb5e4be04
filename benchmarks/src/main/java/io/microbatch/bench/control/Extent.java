package io.microbatch.bench.control;

import picocli.CommandLine.Option;

/** The choice between a look and a measurement, which every command of this package mixes in. */
final class Extent {

    @Option(names = "--quick", required = true, description = "a few minutes")
    private boolean quick;

    @Option(names = "--full", required = true, description = "what a results page is made of")
    private boolean unusedFull; // what is not quick is full

    boolean isQuick() {
        return quick;
    }
}
