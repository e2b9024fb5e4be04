package io.microbatch.bench.cluster;

import io.microbatch.testbed.Await;
import io.microbatch.testbed.TopicReader;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code bench topic}: exits with 0 when a topic holds exactly the records that it should. */
@Command(
        name = "topic",
        sortOptions = false,
        description = "Waits for a minute until a topic holds this many committed records, and not one more.")
public final class TopicCommand implements Callable<Integer> {

    private static final Duration LIMIT = Duration.ofSeconds(60);

    @Parameters(paramLabel = "TOPIC", description = "its name")
    private String topic;

    @Option(names = "--bootstrap-servers", required = true, paramLabel = "HOST:PORT", description = "the brokers")
    private String bootstrapServers;

    @Option(names = "--records", required = true, paramLabel = "N", description = "how many there must be")
    private long expected;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        TopicReader reader = new TopicReader(bootstrapServers);
        AtomicLong found = new AtomicLong();
        boolean ignored = Await.reached(LIMIT, () -> {
            found.set(count(reader));
            return found.get() >= expected;
        });
        spec.commandLine().getOut().printf("%s: %,d records, %,d expected%n", topic, found.get(), expected);
        spec.commandLine().getOut().flush();
        return found.get() == expected ? 0 : 1;
    }

    private long count(TopicReader reader) {
        AtomicLong records = new AtomicLong();
        try {
            reader.readCommitted(topic, record -> records.incrementAndGet());
        } catch (UnknownTopicOrPartitionException e) {
            return 0;
        }
        return records.get();
    }
}
