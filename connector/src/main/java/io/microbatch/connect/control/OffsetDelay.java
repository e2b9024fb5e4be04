package io.microbatch.connect.control;

import java.util.Arrays;

/**
 * Learns by how much later than its records the offsets of a batch are best sent.
 *
 * <p>Connect sends both when a poll has returned, and commits. If two brokers lead their partitions, both brokers ask
 * the transaction coordinator at once to add a partition to the transaction. It refuses the second one while it logs
 * what the first one has asked for (CONCURRENT_TRANSACTIONS, KIP-890), and that broker asks again after 20 ms, its
 * default for {@code add.partitions.to.txn.retry.backoff.ms}. If the offsets come some milliseconds later, no broker
 * waits, and the commit is faster although it begins later.
 *
 * <p>While commits are so slow that they may contain such a wait, each of a few delays is tried for {@value #BLOCK}
 * transactions, between as many with the present delay. The slower half of these commits is compared, delay included,
 * because a wait of some transactions matters to a p99. A delay under which it is clearly faster than before and after
 * the trial is tried once more, and then kept. Otherwise trials become rare: one in {@value #MAX_BETWEEN_TRIALS}
 * transactions, or in {@value #MAX_BETWEEN_TRIALS_DELAYED} while there is a delay, and every second one then tries to
 * do without. The leader of a partition may change, so that trials never end.
 *
 * <p>Task thread, except {@link #keptNanos}; nanoseconds.
 */
public final class OffsetDelay {

    private static final long MS = 1_000_000;

    /**
     * The delays that are tried. Since Kafka 4.0 a producer sends records up to 5 ms after they came, so that a delay
     * of less would be none.
     */
    private static final long[] CANDIDATES = {0, 7 * MS, 10 * MS, 14 * MS, 20 * MS, 28 * MS};

    /** Transactions under one delay that are judged together. */
    private static final int BLOCK = 14;

    /** In the first transactions of a task the JVM is still compiling. */
    private static final int WARM_UP = 20;

    /** The slowest of a block do not count: a broker may stall at any delay. */
    private static final int COUNTED = BLOCK - 2;

    /**
     * A trial ends without a result if so many batches have no delay meanwhile. It needs two blocks of others. It has
     * them where one batch of three may have a delay.
     */
    private static final int MAX_PASSED = 6 * BLOCK;

    /** A trial ends after so many transactions if it is slower by this much. */
    private static final int EARLY = 8;

    private static final long EARLY_SLOWER_NANOS = 5 * MS;

    /** A commit of more events may take as long as a back-off, by its size. */
    private static final int MAX_EVENTS = 1_000;

    /** Commits that are faster than the back-off contain few waits. */
    private static final long MIN_NANOS = 20 * MS;

    /** Of commits that are slower, a wait of 20 ms is a small part. */
    private static final long MAX_NANOS = 100 * MS;

    /** Where the slower half of the commits takes so much longer than the faster one, noise hides a wait of 20 ms. */
    private static final long MAX_SPREAD_NANOS = 35 * MS;

    /** Another delay is clearly faster if its commits take less than this part of the present ones. */
    private static final double CLEARLY_FASTER = 0.9;

    /** They also have to be faster by at least this time. */
    private static final long CLEARLY_FASTER_NANOS = 3 * MS;

    /** One win may be chance. */
    private static final int WINS = 2;

    /** If commits become slower or faster by this factor after a trial, a leader may have moved. */
    private static final double CHANGED = 1.5;

    private static final int MAX_BETWEEN_TRIALS = 20_000;
    private static final int MAX_BETWEEN_TRIALS_DELAYED = 2_000;

    private enum Phase {
        KEEPING,
        TRYING,
        CHECKING
    }

    private final boolean learns;
    private final Block present = new Block();
    private final Block tried = new Block();

    private Phase phase = Phase.KEEPING;
    private int warmingUp = WARM_UP;
    private int best;
    private int candidate;
    private int rotation;
    private int wins;
    private int blocksChanged;
    private int passed;
    private boolean decided;
    private int sinceTrial;
    private int betweenTrials = BLOCK;

    /** The slower half before the trial. */
    private long beforeNanos;

    /** The slower half when a trial was last judged, 0 before. */
    private long judgedNanos;

    /** In force, which may be one that is tried. */
    private long nanos;

    private volatile long keptNanos;

    private OffsetDelay(boolean learns, long nanos) {
        this.learns = learns;
        this.decided = !learns;
        this.nanos = nanos;
        this.keptNanos = nanos;
    }

    /** A delay that begins with none, and is learned. */
    public static OffsetDelay learned() {
        return new OffsetDelay(true, 0);
    }

    /** A delay that the operator has chosen. */
    public static OffsetDelay fixed(long nanos) {
        return new OffsetDelay(false, nanos);
    }

    /** Whether a batch of so many events may have the delay. The operator's holds for any. */
    public boolean suits(int events) {
        return !learns || events <= MAX_EVENTS;
    }

    /** The delay in force, which may be one that is tried. */
    public long nanos() {
        return nanos;
    }

    /** Whether the delay in force is not kept yet. */
    public boolean isTrying() {
        return phase == Phase.TRYING;
    }

    /**
     * Whether the first trial has ended, or none is needed. The delay is not stored. What a task learned of its
     * batches before a restart was perhaps learned with one.
     */
    public boolean isDecided() {
        return decided;
    }

    /** Whether the task learns it. */
    public boolean isLearned() {
        return learns;
    }

    /** The delay without a trial: the best one so far, or the operator's. Any thread. */
    public long keptNanos() {
        return keptNanos;
    }

    /**
     * Takes the commit of a batch that had the delay in force.
     *
     * @param commitNanos from the return of the batch to its acknowledgement, with the delay
     */
    public void committed(long commitNanos) {
        if (!learns) {
            return;
        }
        if (warmingUp > 0) {
            warmingUp--;
            return;
        }
        switch (phase) {
            case KEEPING -> keep(commitNanos);
            case TRYING -> attempt(commitNanos);
            case CHECKING -> check(commitNanos);
        }
    }

    /** A batch had no delay, because it was full. A trial that finds too few others ends. */
    public void passed() {
        if (phase != Phase.KEEPING && ++passed == MAX_PASSED) {
            keepBest();
        }
    }

    private void keep(long commitNanos) {
        present.add(commitNanos);
        sinceTrial++;
        // Sorting at each commit would cost more than it tells.
        if (sinceTrial % BLOCK != 0 || !present.isFull()) {
            return;
        }
        noteChange();
        if (sinceTrial >= betweenTrials) {
            if (choose()) {
                attempt();
            } else {
                decided = true;
            }
        }
    }

    private void noteChange() {
        double times = present.slowerHalf() / (double) judgedNanos;
        boolean changed = judgedNanos > 0 && (times >= CHANGED || times <= 1 / CHANGED);
        blocksChanged = changed ? blocksChanged + 1 : 0;
        if (blocksChanged == 2) {
            betweenTrials = BLOCK;
            judgedNanos = present.slowerHalf();
            blocksChanged = 0;
        }
    }

    /** Chooses what is tried next, if anything may help. To do without a delay may always help. */
    private boolean choose() {
        boolean without = best > 0 && candidate != 0;
        if (!without && !mayWait()) {
            candidate = best;
            return false;
        }
        if (without) {
            candidate = 0;
            return true;
        }
        do {
            rotation = rotation % (CANDIDATES.length - 1) + 1;
        } while (rotation == best);
        candidate = rotation;
        return true;
    }

    private boolean mayWait() {
        long slowerNanos = present.slowerHalf();
        return slowerNanos >= MIN_NANOS
                && slowerNanos <= MAX_NANOS
                && slowerNanos - present.fasterHalf() <= MAX_SPREAD_NANOS;
    }

    private void attempt() {
        beforeNanos = present.slowerHalf();
        tried.clear();
        passed = 0;
        phase = Phase.TRYING;
        nanos = CANDIDATES[candidate];
    }

    private void attempt(long commitNanos) {
        tried.add(commitNanos);
        if (tried.size() == EARLY && tried.median() > beforeNanos + EARLY_SLOWER_NANOS) {
            keepBest();
        } else if (tried.isFull()) {
            present.clear();
            phase = Phase.CHECKING;
            nanos = CANDIDATES[best];
        }
    }

    private void check(long commitNanos) {
        present.add(commitNanos);
        if (!present.isFull()) {
            return;
        }
        if (!hasWon(Math.min(beforeNanos, present.slowerHalf()))) {
            keepBest();
        } else if (++wins < WINS) {
            attempt();
        } else {
            best = candidate;
            keptNanos = CANDIDATES[best];
            present.copy(tried);
            keepOn(BLOCK);
        }
    }

    /** A delay wins if it is clearly faster. No delay wins if it is as fast. */
    private boolean hasWon(long presentNanos) {
        long triedNanos = tried.slowerHalf();
        return candidate == 0
                ? triedNanos <= presentNanos
                : triedNanos < CLEARLY_FASTER * presentNanos && presentNanos - triedNanos >= CLEARLY_FASTER_NANOS;
    }

    private void keepBest() {
        keepOn(Math.min(best == 0 ? MAX_BETWEEN_TRIALS : MAX_BETWEEN_TRIALS_DELAYED, 2 * betweenTrials));
    }

    private void keepOn(int untilTrial) {
        betweenTrials = untilTrial;
        sinceTrial = 0;
        wins = 0;
        blocksChanged = 0;
        passed = 0;
        decided = true;
        judgedNanos = present.isFull() ? present.slowerHalf() : judgedNanos;
        phase = Phase.KEEPING;
        nanos = CANDIDATES[best];
    }

    /** The last {@value #BLOCK} commits under one delay. */
    private static final class Block {

        private final long[] commits = new long[BLOCK];
        private long added;

        void clear() {
            added = 0;
        }

        void add(long commitNanos) {
            commits[(int) (added++ % BLOCK)] = commitNanos;
        }

        void copy(Block other) {
            System.arraycopy(other.commits, 0, commits, 0, BLOCK);
            added = other.added;
        }

        int size() {
            return (int) Math.min(added, BLOCK);
        }

        boolean isFull() {
            return added >= BLOCK;
        }

        long median() {
            return sorted()[size() / 2];
        }

        /** The mean of the slower half: where some transactions wait, these matter to a p99. Of a full block. */
        long slowerHalf() {
            return mean(COUNTED / 2, COUNTED);
        }

        long fasterHalf() {
            return mean(0, COUNTED / 2);
        }

        private long mean(int from, int to) {
            return (long) Arrays.stream(sorted(), from, to).average().orElseThrow();
        }

        private long[] sorted() {
            long[] sorted = Arrays.copyOf(commits, size());
            Arrays.sort(sorted);
            return sorted;
        }
    }
}
