package io.microbatch.connect.convert;

/** The stage at which an event failed. The names are those of Connect's own dead letters. */
enum Stage {
    HEADER_CONVERTER,
    KEY_CONVERTER,
    VALUE_CONVERTER,
    /** The producer would refuse it. */
    KAFKA_PRODUCE
}
