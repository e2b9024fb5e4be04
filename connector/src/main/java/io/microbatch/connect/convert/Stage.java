package io.microbatch.connect.convert;

/** The stage at which an event failed. Most names are those of Connect's own dead letters. */
enum Stage {
    /** The upstream could not read all of it. Not a stage of Connect's. */
    UPSTREAM,
    HEADER_CONVERTER,
    KEY_CONVERTER,
    VALUE_CONVERTER,
    /** The producer would refuse it. */
    KAFKA_PRODUCE
}
