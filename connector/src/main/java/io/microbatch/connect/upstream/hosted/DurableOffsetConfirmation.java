package io.microbatch.connect.upstream.hosted;

import io.microbatch.connect.ack.SettledEvent;
import io.microbatch.connect.upstream.Progress;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Notifies the hosted task of the last delivered record of each source partition, and only once that record's source
 * offset is durable in Kafka. For tasks that let their upstream delete its log up to the last record that they were
 * notified of, such as Debezium for PostgreSQL: what is deleted beyond the committed offset cannot be read again.
 *
 * <p>Acknowledgements come in any order, but Connect commits the offset of a record only when every earlier record is
 * acknowledged too. So the relevant time of a record is the latest settlement of all records up to it.
 *
 * <p>A filtered record has no offset in Kafka and confirms nothing. The next delivered record covers it. Two
 * generations are kept, one that grows and one that waits to become durable. So the memory for an offset flush interval
 * is a record per source partition, not a record per event.
 */
final class DurableOffsetConfirmation implements Confirmation {

    private final HostedHooks hooks;
    private Map<Map<String, ?>, SettledEvent> growing = new LinkedHashMap<>();
    private Map<Map<String, ?>, SettledEvent> waiting = new LinkedHashMap<>();
    private boolean settledAny;
    private long settledUpToHereNanos;
    private long waitingSettledNanos;

    DurableOffsetConfirmation(HostedHooks hooks) {
        this.hooks = hooks;
    }

    @Override
    public void settled(SettledEvent event) {
        if (!settledAny || event.settledNanos() - settledUpToHereNanos > 0) {
            settledUpToHereNanos = event.settledNanos();
            settledAny = true;
        }
        if (event.isDelivered() && event.sourceOffset() != null) {
            growing.put(event.sourcePartition(), event);
        }
    }

    @Override
    public void committed(Progress progress) {
        if (!waiting.isEmpty() && waitingSettledNanos - progress.durableBeforeNanos() < 0) {
            for (SettledEvent event : waiting.values()) {
                hooks.commitRecord(event);
            }
            hooks.commit();
            waiting.clear();
        }
        if (waiting.isEmpty() && !growing.isEmpty()) {
            Map<Map<String, ?>, SettledEvent> emptied = waiting;
            waiting = growing;
            growing = emptied;
            waitingSettledNanos = settledUpToHereNanos;
        }
    }
}
