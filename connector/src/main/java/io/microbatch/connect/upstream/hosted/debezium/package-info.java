/**
 * What is known of Debezium: its classes, the settings that its hosted connectors need, where its polls end, and what
 * its change events say. Its classes are known by name only, since they live in another loader.
 */
package io.microbatch.connect.upstream.hosted.debezium;
