/**
 * Knowledge of Debezium: its classes, the settings that its hosted connectors need, where its polls end, how to read
 * its change events, and what its MBeans say. Its classes are known by name only, because they have another class
 * loader.
 */
package io.microbatch.connect.upstream.hosted.debezium;
