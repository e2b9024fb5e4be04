package io.microbatch.testbed.failpoint;

import net.bytebuddy.asm.Advice;

/** Is copied to the beginning of a method. The copy calls {@link Failpoints}, which every plugin loader finds. */
final class EntryAdvice {

    private EntryAdvice() {}

    @Advice.OnMethodEnter
    static void enter(@PointId int point) {
        Failpoints.hit(point);
    }
}
