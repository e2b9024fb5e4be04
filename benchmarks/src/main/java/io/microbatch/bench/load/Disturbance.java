package io.microbatch.bench.load;

import io.microbatch.testbed.ConnectWorker;

/** What is done to a connector or its worker in the middle of a run, on a thread of its own. */
@FunctionalInterface
public interface Disturbance {

    /** Returns when the connector is on its way again. */
    void disturb(ConnectWorker worker, String connector);
}
