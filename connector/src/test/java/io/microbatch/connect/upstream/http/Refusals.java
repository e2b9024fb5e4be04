package io.microbatch.connect.upstream.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** Checks that a request is refused, and how. */
final class Refusals {

    private Refusals() {}

    static Refusal assertRefused(int status, int errorCode, ThrowingCallable call) {
        Throwable thrown = catchThrowable(call);
        assertThat(thrown).isInstanceOf(Refusal.class);
        Refusal refusal = (Refusal) thrown;
        assertThat(refusal.status()).as(refusal.getMessage()).isEqualTo(status);
        assertThat(refusal.errorCode()).as(refusal.getMessage()).isEqualTo(errorCode);
        assertThat(refusal.getStackTrace()).isEmpty();
        return refusal;
    }
}
