package io.microbatch.connect.upstream.http;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** Two threads settle the two records of a request: one of them is the last, and it sees both places. */
@JCStressTest
@Outcome(id = "0, 12", expect = ACCEPTABLE, desc = "the second thread is the last one")
@Outcome(id = "12, 0", expect = ACCEPTABLE, desc = "the first thread is the last one")
@State
public class LastSettledStress {
    private static final RecordMetadata FIRST = place(4);
    private static final RecordMetadata SECOND = place(8);

    private final Places places = new Places(2);

    private static RecordMetadata place(long offset) {
        return new RecordMetadata(new TopicPartition("topic", 0), offset, 0, 0, 0, 0);
    }

    private int sum(boolean isLast) {
        return isLast ? (int) (places.offset(0) + places.offset(1)) : 0;
    }

    /** The producer's thread. */
    @Actor
    public void first(II_Result r) {
        r.r1 = sum(places.settled(0, FIRST));
    }

    /** Another one. */
    @Actor
    public void second(II_Result r) {
        r.r2 = sum(places.settled(1, SECOND));
    }
}
