package io.microbatch.connect.stripe;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Names the one thread that writes the field, or that may call the method. Documentation only; nothing checks it. */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target({ElementType.FIELD, ElementType.METHOD, ElementType.TYPE})
@interface OwnedBy {
    /** The thread that feeds one stripe. */
    String READER = "reader thread";

    /** The task thread, which drains all stripes. */
    String CONSUMER = "consumer";

    /** {@link #READER} or {@link #CONSUMER}. */
    String value();
}
