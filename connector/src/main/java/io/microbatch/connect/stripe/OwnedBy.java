package io.microbatch.connect.stripe;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Names the only thread that may write the field or call the method. For documentation: no tool checks it. */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target({ElementType.FIELD, ElementType.METHOD, ElementType.TYPE})
@interface OwnedBy {
    /** The producer of one stripe. */
    String READER = "reader thread";

    /** The consumer of all stripes: the task thread. */
    String CONSUMER = "consumer";

    /** {@link #READER} or {@link #CONSUMER}. */
    String value();
}
