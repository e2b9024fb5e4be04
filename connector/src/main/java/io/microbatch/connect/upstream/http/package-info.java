/**
 * Takes events from HTTP clients and answers a client when Kafka has its events. The parsers of bodies and the access
 * rules know no server: they take bytes, texts and a clock.
 */
package io.microbatch.connect.upstream.http;
