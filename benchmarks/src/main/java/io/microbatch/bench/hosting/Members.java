package io.microbatch.bench.hosting;

import io.microbatch.bench.load.Delivery;
import io.microbatch.testbed.PostgresServer;
import io.microbatch.testbed.reference.QueueServer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Makes the members of a wave, each with a source and topics of its own. One thread. */
final class Members {

    private final long run;
    private final Path work;
    private final Stage stage;
    private final QueueServer queues;
    private final Canary canary;
    private final PostgresServer postgres;
    private final String debezium;

    Members(long run, Path work, Stage stage, QueueServer queues, PostgresServer postgres, Canary canary) {
        this.run = run;
        this.work = work;
        this.stage = stage;
        this.queues = queues;
        this.postgres = postgres;
        this.canary = canary;
        this.debezium = stage.versionOf("debezium-connector-postgres");
    }

    /** These families, and, in the first wave, the real connectors. */
    List<Member> wave(Delivery mode, List<Family> families, boolean withReal) {
        String prefix = mode == Delivery.EXACTLY_ONCE ? "eos-" : "alo-";
        List<Member> members = new ArrayList<>();
        if (withReal) {
            members.add(new PostgresMember(prefix, debezium, run, postgres, stage, canary));
            members.add(new FileMember(prefix, run, work, canary));
            members.add(new MirrorMember(prefix, run, stage, canary));
        }
        families.forEach(family -> members.add(new QueueMember(family, prefix, run, queues, canary)));
        return members;
    }
}
