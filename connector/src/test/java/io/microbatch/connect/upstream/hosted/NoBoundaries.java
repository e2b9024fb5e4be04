package io.microbatch.connect.upstream.hosted;

import org.apache.kafka.connect.source.SourceRecord;
import org.apache.kafka.connect.source.TransactionContext;

/** A worker's transaction context that ignores what it gets. Any thread. */
public final class NoBoundaries implements TransactionContext {

    @Override
    public void commitTransaction() {}

    @Override
    public void commitTransaction(SourceRecord record) {}

    @Override
    public void abortTransaction() {}

    @Override
    public void abortTransaction(SourceRecord record) {}
}
