package io.microbatch.testbed.failpoint;

import java.util.List;
import net.bytebuddy.asm.Advice;

/** Is copied to the end of a method that returns a batch. A planted bug replaces the batch. */
final class BatchAdvice {

    private BatchAdvice() {}

    // Error Prone takes the parameter for a local variable. The copy stores it as the return value of the method.
    @SuppressWarnings("UnusedVariable")
    @Advice.OnMethodExit
    static void exit(@PointId int point, @Advice.Return(readOnly = false) List<?> batch) {
        batch = Failpoints.hit(point, batch);
    }
}
