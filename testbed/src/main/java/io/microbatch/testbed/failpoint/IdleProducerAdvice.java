package io.microbatch.testbed.failpoint;

import net.bytebuddy.asm.Advice;

/** Is copied to the end of a method of the producer that returns whether a batch is in progress. */
final class IdleProducerAdvice {

    private IdleProducerAdvice() {}

    @Advice.OnMethodExit
    static void exit(@PointId int point, @Advice.Return boolean inProgress) {
        if (!inProgress) {
            Failpoints.hitByTaskProducer(point);
        }
    }
}
