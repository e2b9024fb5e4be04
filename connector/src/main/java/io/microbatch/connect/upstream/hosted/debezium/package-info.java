/**
 * Knowledge of Debezium: its classes, the settings that its hosted connectors need, where its polls end, and how to
 * read its change events. Its classes are known by name only, because they have another class loader.
 */
package io.microbatch.connect.upstream.hosted.debezium;
