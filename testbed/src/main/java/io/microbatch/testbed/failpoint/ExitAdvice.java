package io.microbatch.testbed.failpoint;

import net.bytebuddy.asm.Advice;

/** Is copied to the regular end of a method. */
final class ExitAdvice {

    private ExitAdvice() {}

    @Advice.OnMethodExit
    static void exit(@PointId int point) {
        Failpoints.hit(point);
    }
}
