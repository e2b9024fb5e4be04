package io.microbatch.bench.load;

import java.util.List;
import java.util.stream.IntStream;

/**
 * How a stream is spread. Immutable.
 *
 * @param topics how many topics the events go to, each source partition to one of them
 * @param topicPartitions how many partitions each topic has
 * @param sourcePartitions how many sequences there are, each in an order of its own
 * @param groups how many consumer groups read, each of them everything
 */
public record Layout(int topics, int topicPartitions, int sourcePartitions, int groups) {

    /** One of each. */
    public static final Layout SINGLE = new Layout(1, 1, 1, 1);

    /** The names of the topics, as the generator builds them. */
    List<String> names(String topic) {
        return topics == 1
                ? List.of(topic)
                : IntStream.range(0, topics)
                        .mapToObj(number -> topic + "-" + number)
                        .toList();
    }
}
