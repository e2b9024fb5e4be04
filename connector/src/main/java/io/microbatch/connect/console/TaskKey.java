package io.microbatch.connect.console;

/**
 * A task of a connector.
 *
 * @param connector the connector's name
 * @param task the task's number
 */
record TaskKey(String connector, int task) implements Comparable<TaskKey> {

    @Override
    public int compareTo(TaskKey other) {
        int byName = connector.compareTo(other.connector);
        return byName != 0 ? byName : Integer.compare(task, other.task);
    }

    @Override
    public String toString() {
        return connector + "-" + task;
    }
}
