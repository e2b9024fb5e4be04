package io.microbatch.bench.producer;

/** What a producer waits for before it takes a record as sent. */
public enum Guarantee {
    /** That the socket took it. */
    ACKS_0("0", false),
    /** That the leader has it. */
    ACKS_1("1", false),
    /** That every replica in sync has it. */
    ACKS_ALL("all", false),
    /** The same, and that its transaction is committed. */
    TRANSACTIONAL("all", true);

    private final String acks;
    private final boolean transactional;

    Guarantee(String acks, boolean transactional) {
        this.acks = acks;
        this.transactional = transactional;
    }

    String acks() {
        return acks;
    }

    boolean isTransactional() {
        return transactional;
    }

    String text() {
        return transactional ? "transactional" : acks;
    }
}
