package io.microbatch.connect.upstream.http;

/** A header of a record. The value may be null. Immutable if nobody writes to the array. Any thread. */
record HttpHeader(String name, byte[] value) {}
