/**
 * Hosts any installed source connector by class name. Its connector side answers through ours. Its task runs on one of
 * our reader threads. Its source partitions and offsets pass unchanged, so that Connect's own offset store is the only
 * one.
 */
package io.microbatch.connect.upstream.hosted;
