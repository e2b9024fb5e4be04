package io.microbatch.connect.upstream.hosted;

import io.microbatch.connect.ack.EventRecord;

/**
 * Tells the hosted task of every record in order as soon as Kafka has it and all before it, and of every commit: what
 * Connect itself does, without its gaps. Right for tasks that acknowledge messages one by one.
 */
final class EachRecordConfirmation implements Confirmation {

    private final HostedHooks hooks;
    private long commitsSeen;

    EachRecordConfirmation(HostedHooks hooks) {
        this.hooks = hooks;
    }

    @Override
    public void settled(EventRecord event) throws InterruptedException {
        hooks.commitRecord(event);
    }

    @Override
    public void committed(long durableBeforeNanos, long commits) throws InterruptedException {
        if (commits != commitsSeen) {
            commitsSeen = commits;
            hooks.commit();
        }
    }
}
