package io.microbatch.testbed.failpoint;

import java.util.List;
import net.bytebuddy.asm.Advice;

/** Is copied to the end of a method that returns a batch, which a planted bug replaces. */
final class BatchAdvice {

    private BatchAdvice() {}

    // Error Prone takes the parameter for a local variable; the copy stores it as what the method returns.
    @SuppressWarnings("UnusedVariable")
    @Advice.OnMethodExit
    static void exit(@PointId int point, @Advice.Return(readOnly = false) List<?> batch) {
        batch = Failpoints.hit(point, batch);
    }
}
