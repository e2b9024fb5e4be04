package io.microbatch.connect.upstream.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.kafka.connect.errors.ConnectException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The reading rule against every interleaving of small transactions, and the rule that everybody tries first. */
class SnapshotTest {

    /** Three transactions of one row, and two whose rows lie between each other's. */
    private static final List<List<Integer>> SHAPES = List.of(List.of(1, 1, 1), List.of(3, 3));

    /** Besides its rows a transaction has the step in which it gets its id, and its end. */
    private static final int MORE_STEPS = 2;

    /** Something that reads the model's table, some rows at each call. */
    private interface Relay {
        /** Reads what it takes for new, and returns the names. */
        List<String> reads(OutboxModel database);
    }

    /** The rule of the upstream: pages of one row, with a restart from the last offset where it is told so. */
    private static final class BySnapshots implements Relay {

        private final boolean restarts;
        private OutboxPosition position = OutboxPosition.beginning("1/1");
        private Map<String, ?> offset;

        BySnapshots(boolean restarts) {
            this.restarts = restarts;
        }

        @Override
        public List<String> reads(OutboxModel database) {
            if (restarts) {
                position = offset == null ? OutboxPosition.beginning("1/1") : OutboxPosition.of(offset);
            }
            List<String> names = new ArrayList<>();
            for (int round = 0; round < 2; round++) {
                if (!position.isOpen()) {
                    position.open(database.snapshot());
                }
                // The interval is read in pages of one row. The second page of the first round is left for the next
                // call, so that a snapshot is used after others have ended.
                boolean more = readPage(database, names);
                if (!more) {
                    position.finish();
                } else if (round == 0) {
                    return names;
                }
            }
            return names;
        }

        private boolean readPage(OutboxModel database, List<String> names) {
            for (OutboxModel.Row row : database.rows()) {
                if (position.isNew(row.xid(), row.seq())) {
                    offset = position.offset(row.seq());
                    position.advance(row.seq());
                    names.add(row.name());
                    return true;
                }
            }
            return false;
        }
    }

    /** The planted error: asks for numbers above the highest that it has seen. */
    private static final class ByNumber implements Relay {

        private long last;

        @Override
        public List<String> reads(OutboxModel database) {
            List<String> names = new ArrayList<>();
            for (OutboxModel.Row row : database.rows()) {
                if (row.seq() > last) {
                    last = row.seq();
                    names.add(row.name());
                }
            }
            return names;
        }
    }

    /** What one run has shown: rows that were not read, rows that were read twice, and keys in a wrong order. */
    private record Faults(int missed, int repeated, int reordered) {
        Faults plus(Faults other) {
            return new Faults(missed + other.missed, repeated + other.repeated, reordered + other.reordered);
        }
    }

    private static final Faults NONE = new Faults(0, 0, 0);

    /** Every order of the steps of all transactions, as the number of the transaction at each place. */
    private static List<List<Integer>> interleavings(List<Integer> rows) {
        List<List<Integer>> found = new ArrayList<>();
        interleave(rows, new ArrayList<>(), new int[rows.size()], found);
        return found;
    }

    private static void interleave(List<Integer> rows, List<Integer> begun, int[] done, List<List<Integer>> found) {
        boolean isLast = true;
        for (int t = 0; t < rows.size(); t++) {
            if (done[t] < rows.get(t) + MORE_STEPS) {
                isLast = false;
                begun.add(t);
                done[t]++;
                interleave(rows, begun, done, found);
                done[t]--;
                begun.remove(begun.size() - 1);
            }
        }
        if (isLast) {
            found.add(List.copyOf(begun));
        }
    }

    private static Faults allRuns(Supplier<Relay> relays) {
        Faults total = NONE;
        for (List<Integer> rows : SHAPES) {
            for (List<Integer> order : interleavings(rows)) {
                for (int commits = 0; commits < 1 << rows.size(); commits++) {
                    for (int first = 0; first < order.size(); first++) {
                        for (int second = first; second < order.size(); second++) {
                            total = total.plus(run(rows, order, commits, first, second, relays.get()));
                        }
                    }
                }
            }
        }
        return total;
    }

    /** One run, with reads after two of the steps, and reads to the end when all have ended. */
    private static Faults run(
            List<Integer> rows, List<Integer> order, int commits, int first, int second, Relay relay) {
        OutboxModel database = new OutboxModel();
        List<String> read = new ArrayList<>();
        int[] done = new int[rows.size()];
        for (int place = 0; place < order.size(); place++) {
            int transaction = order.get(place);
            String name = "t" + transaction;
            int step = done[transaction]++;
            if (step == 1) {
                database.getsId(name);
            } else if (step <= rows.get(transaction)) {
                database.takesNumber(name);
            } else {
                database.ends(name, (commits & 1 << transaction) != 0);
            }
            if (place == first || place == second) {
                read.addAll(relay.reads(database));
            }
        }
        for (int i = 0; i < order.size(); i++) {
            read.addAll(relay.reads(database));
        }
        return faults(rows, order, commits, read);
    }

    private static Faults faults(List<Integer> rows, List<Integer> order, int commits, List<String> read) {
        int missed = 0;
        int repeated = 0;
        int reordered = 0;
        for (int t = 0; t < rows.size(); t++) {
            int expected = (commits & 1 << t) != 0 ? 1 : 0;
            int previous = -1;
            for (int row = 0; row < rows.get(t); row++) {
                String name = "t" + t + "." + row;
                int times = Collections.frequency(read, name);
                missed += Math.max(0, expected - times);
                repeated += Math.max(0, times - expected);
                int place = read.indexOf(name);
                reordered += times > 0 && place < previous ? 1 : 0;
                previous = place;
            }
            for (int later = 0; later < rows.size(); later++) {
                // The one had ended when the other took its number: so it is where both lock the same aggregate.
                boolean inTurn = order.lastIndexOf(t) < order.indexOf(later);
                int last = read.lastIndexOf("t" + t + "." + (rows.get(t) - 1));
                int next = read.indexOf("t" + later + ".0");
                reordered += inTurn && next >= 0 && last > next ? 1 : 0;
            }
        }
        return new Faults(missed, repeated, reordered);
    }

    @Test
    void readsEveryInterleavingOnceAndInOrder() {
        assertThat(interleavings(SHAPES.get(0))).hasSize(1_680);
        assertThat(interleavings(SHAPES.get(1))).hasSize(252);
        assertThat(allRuns(() -> new BySnapshots(false))).isEqualTo(NONE);
    }

    @Test
    void readsEveryInterleavingOnceAndInOrderWithARestartBeforeEachRead() {
        assertThat(allRuns(() -> new BySnapshots(true))).isEqualTo(NONE);
    }

    @Test
    void findsThatNumbersAboveTheLastOneMissRows() {
        Faults faults = allRuns(ByNumber::new);
        assertThat(faults.missed()).isPositive();
        assertThat(faults.repeated()).isZero();
    }

    @Test
    void knowsWhichTransactionsWereFinished() {
        Snapshot snapshot = Snapshot.parse("10:20:10,14,17");
        assertThat(List.of(9L, 11L, 13L, 15L, 19L)).allMatch(snapshot::isVisible);
        assertThat(List.of(10L, 14L, 17L, 20L, 21L)).noneMatch(snapshot::isVisible);
        assertThat(snapshot).hasToString("10:20:10,14,17").isEqualTo(Snapshot.parse("10:20:10,14,17"));
        assertThat(Snapshot.NOTHING.isVisible(1)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "1", "1:2", "a:b:", "0:1:", "5:4:", "10:20:9", "10:20:20", "10:20:14,12", "1:2:x", "::"})
    void refusesWhatIsNoSnapshot(String text) {
        assertThatThrownBy(() -> Snapshot.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void continuesAtAnOffset() {
        OutboxPosition position = OutboxPosition.beginning("7/00000001");
        position.open(Snapshot.parse("10:12:11"));
        position.advance(5);
        OutboxPosition resumed = OutboxPosition.of(position.offset(5));
        assertThat(resumed.isOpen()).isTrue();
        assertThat(resumed.server()).isEqualTo("7/00000001");
        assertThat(resumed.isNew(10, 5)).isFalse();
        assertThat(resumed.isNew(10, 6)).isTrue();
        assertThat(resumed.isNew(11, 6)).isFalse();
        resumed.finish();
        assertThat(resumed.isOpen()).isFalse();
        resumed.open(Snapshot.parse("12:12:"));
        assertThat(resumed.isNew(11, 1)).isTrue();
        assertThat(resumed.isNew(10, 6)).isFalse();
    }

    @Test
    void refusesWhatIsNoOffset() {
        Map<String, Object> offset = Map.of("from", "1:1:", "to", "2:2:", "seq", 1L, "server", "7/1");
        assertThat(OutboxPosition.of(offset).seq()).isEqualTo(1);
        for (Map<String, Object> wrong : List.<Map<String, Object>>of(
                Map.of(),
                Map.of("from", "1:1:", "to", "2:2:", "seq", 1L),
                Map.of("from", "1:1:", "to", "2:2:", "seq", "1", "server", "7/1"),
                Map.of("from", "1", "to", "2:2:", "seq", 1L, "server", "7/1"),
                Map.of("from", "1:1:", "to", 2, "seq", 1L, "server", "7/1"))) {
            assertThatThrownBy(() -> OutboxPosition.of(wrong))
                    .isInstanceOf(ConnectException.class)
                    .hasMessageContaining("<pg_snapshot>");
        }
    }
}
