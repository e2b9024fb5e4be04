package io.microbatch.testbed.reference;

import java.util.Map;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Type;

/** The settings of a reference connector, which together make it behave as a family does. */
final class ReferenceSettings extends AbstractConfig {

    static final String TASK_INDEX = "task.index";
    static final String ACKNOWLEDGE = "acknowledge";
    static final String BOUNDARY_EVERY = "boundary.every";

    static final ConfigDef DEFINITION = new ConfigDef()
            .define("queue.address", Type.STRING, Importance.HIGH, "where the queue server is")
            .define("queue.name", Type.STRING, Importance.HIGH, "the queue; a task adds its own number to it")
            .define("topic", Type.STRING, Importance.HIGH, "where the messages go")
            .define("password", Type.PASSWORD, "", Importance.LOW, "not used: it must not be seen anywhere")
            .define(ACKNOWLEDGE, Type.STRING, "offset", Importance.HIGH, "commit, record, or offset for not at all")
            .define("prefetch", Type.INT, 10_000, Importance.LOW, "most messages that are unacknowledged")
            .define("batch.max", Type.INT, 500, Importance.LOW, "most messages that a poll returns")
            .define("poll.blocks", Type.BOOLEAN, false, Importance.LOW, "whether a poll waits for ever")
            .define("await.batch.ms", Type.LONG, 0L, Importance.LOW, "how long a poll waits for its batch before")
            .define("disturbed", Type.BOOLEAN, false, Importance.LOW, "whether most polls return nothing or fail")
            .define(BOUNDARY_EVERY, Type.INT, 0, Importance.LOW, "after how many messages a transaction ends")
            .define("every.shape", Type.BOOLEAN, false, Importance.LOW, "whether records have every shape there is")
            .define("commit.first.ms", Type.LONG, 0L, Importance.LOW, "how long the first commit takes")
            .define("stop.returns", Type.BOOLEAN, true, Importance.LOW, "whether stop returns")
            .define(TASK_INDEX, Type.INT, 0, Importance.LOW, "which task it is");

    ReferenceSettings(Map<String, String> settings) {
        super(DEFINITION, settings, false);
    }

    boolean resumesAtOffsets() {
        return getString(ACKNOWLEDGE).equals("offset");
    }

    boolean acknowledgesInCommit() {
        return getString(ACKNOWLEDGE).equals("commit");
    }

    boolean acknowledgesRecords() {
        return getString(ACKNOWLEDGE).equals("record");
    }

    String queue() {
        return queue(getString("queue.name"), getInt(TASK_INDEX));
    }

    static String queue(String name, int task) {
        return name + "-" + task;
    }
}
