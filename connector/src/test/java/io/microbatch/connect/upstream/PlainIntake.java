package io.microbatch.connect.upstream;

import io.microbatch.connect.ack.AckLedger;
import io.microbatch.connect.ack.EventRecord;
import io.microbatch.connect.stripe.StripeSet;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;

/** The intake of a reader that is tested alone. */
public final class PlainIntake {

    private PlainIntake() {}

    /** Takes records as they are into the first stripe. The test drains it. */
    public static Intake into(StripeSet<EventRecord> stripes) {
        return into(stripes, () -> 0);
    }

    /** The same with a clock. */
    public static Intake into(StripeSet<EventRecord> stripes, LongSupplier nanoClock) {
        return into(stripes, nanoClock, () -> {});
    }

    /** The same with something to do while the stripe is full. */
    public static Intake into(
            StripeSet<EventRecord> stripes, LongSupplier nanoClock, Intake.Backpressure backpressure) {
        return new Intake(
                stripes.writer(0),
                new AckLedger(Long.MAX_VALUE, UnaryOperator.identity()),
                nanoClock,
                backpressure,
                (record, waiting) -> record,
                new Turn(() -> false, () -> false, thrown -> {}));
    }

    /** The time since the upstream was heard, in milliseconds. */
    public static double silentMs(Intake intake) {
        return intake.silentMs();
    }
}
