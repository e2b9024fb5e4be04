package io.microbatch.connect.upstream.http;

/**
 * Which task a server belongs to. Immutable; any thread.
 *
 * @param connector the connector's name
 * @param task the task's number, from 0
 * @param tasks the number of tasks
 */
record HttpIdentity(String connector, int task, int tasks) {

    /** The prefix of thread names. */
    String text() {
        return connector + "-" + task;
    }

    /** The answer to {@code GET /}. */
    String json(boolean ready) {
        return "{\"connector\":\"" + Answer.escaped(connector) + "\",\"task\":" + task + ",\"tasks\":" + tasks
                + ",\"ready\":" + ready + "}";
    }
}
