package io.microbatch.connect.convert;

/**
 * Why an event cannot be delivered.
 *
 * @param stage the stage that failed
 * @param className the class that failed
 * @param cause what it threw
 */
record Failure(Stage stage, String className, Exception cause) {}
