package io.microbatch.connect.convert;

/** What could not be done with an event; named as Connect names the stages of its own dead letters. */
enum Stage {
    HEADER_CONVERTER,
    KEY_CONVERTER,
    VALUE_CONVERTER,
    /** The producer would refuse it. */
    KAFKA_PRODUCE
}
