package io.microbatch.connect.convert;

/**
 * Why an event cannot be delivered.
 *
 * @param stage what could not be done
 * @param className the class that was to do it
 * @param cause what it threw
 */
record Failure(Stage stage, String className, Exception cause) {}
