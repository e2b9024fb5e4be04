package io.microbatch.connect;

import io.microbatch.connect.config.MicrobatchConfig;
import java.util.Map;

/**
 * The connector's name and the task's number, from 0. Connect tells a task neither, so that the connector puts both
 * into the task's configuration. Immutable.
 */
record TaskName(String connector, int number) {

    private static final String NAME_CONFIG = "name";

    static TaskName of(Map<String, String> taskConfig) {
        String name = taskConfig.getOrDefault(NAME_CONFIG, "microbatch");
        return new TaskName(name, Integer.parseInt(taskConfig.getOrDefault(MicrobatchConfig.TASK_NUMBER_CONFIG, "0")));
    }

    /** How many tasks the connector has. Not a number in a configuration of a version that did not say so. */
    static double tasks(Map<String, String> taskConfig) {
        return Double.parseDouble(taskConfig.getOrDefault(MicrobatchConfig.TASK_COUNT_CONFIG, "NaN"));
    }

    /** The prefix of thread names and log lines. */
    String text() {
        return connector + "-" + number;
    }
}
