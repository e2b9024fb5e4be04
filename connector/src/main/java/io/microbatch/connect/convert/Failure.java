package io.microbatch.connect.convert;

/** Why an event cannot be delivered: the stage and the class that failed, and what the class threw. */
record Failure(Stage stage, String className, Exception cause) {}
