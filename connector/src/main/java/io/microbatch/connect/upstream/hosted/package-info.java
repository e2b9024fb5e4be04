/**
 * Hosts any source connector that is installed on the worker, by class name, without touching its jar: its connector
 * side answers through ours, its task runs on one of our reader threads. Its source partitions and offsets pass
 * unchanged, so that Connect's own offset store stays the single truth.
 */
package io.microbatch.connect.upstream.hosted;
