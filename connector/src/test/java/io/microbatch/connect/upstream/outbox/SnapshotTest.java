package io.microbatch.connect.upstream.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.kafka.connect.errors.ConnectException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The reading rule against every interleaving of small transactions, and the rule that everybody tries first. */
class SnapshotTest {

    /** What a transaction does that a reader can see. Its beginning alone is nothing of that. */
    private enum Step {
        /** It takes the number of its next row. */
        NUMBER,
        /** It gets its id, which is of the first row or of a change before it. */
        ID,
        /** It is committed or rolled back. */
        END
    }

    /** Inserts its row first: the database takes the number before it gives the id. */
    private static final List<Step> INSERTS = List.of(Step.NUMBER, Step.ID, Step.END);

    /** Locks its aggregate and then inserts its row. So an older id may come with a newer number. */
    private static final List<Step> LOCKS = List.of(Step.ID, Step.NUMBER, Step.END);

    private static final List<Step> INSERTS_THREE = List.of(Step.NUMBER, Step.ID, Step.NUMBER, Step.NUMBER, Step.END);

    /** Three transactions of one row, and two whose rows lie between each other's. */
    private static final List<List<List<Step>>> SHAPES = List.of(
            List.of(INSERTS, INSERTS, INSERTS),
            List.of(LOCKS, LOCKS, LOCKS),
            List.of(INSERTS, INSERTS, LOCKS),
            List.of(INSERTS, LOCKS, LOCKS),
            List.of(INSERTS_THREE, INSERTS_THREE));

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

    /** Another error: reads what is older than every running transaction, in the order of ids. */
    private static final class ByHorizon implements Relay {

        private long read;

        @Override
        public List<String> reads(OutboxModel database) {
            long horizon = database.snapshot().xmin();
            List<String> names = new ArrayList<>();
            database.rows().stream()
                    .filter(row -> row.xid() >= read && row.xid() < horizon)
                    .sorted(Comparator.comparingLong(OutboxModel.Row::xid).thenComparingLong(OutboxModel.Row::seq))
                    .forEach(row -> names.add(row.name()));
            read = horizon;
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

    /**
     * Every order of the steps of all transactions, as the number of the transaction at each place. Of transactions
     * with the same steps the first one begins first: the other orders are the same under other names.
     */
    private static List<List<Integer>> interleavings(List<List<Step>> shape) {
        List<List<Integer>> found = new ArrayList<>();
        interleave(shape, new ArrayList<>(), new int[shape.size()], found);
        return found;
    }

    private static void interleave(List<List<Step>> shape, List<Integer> begun, int[] done, List<List<Integer>> found) {
        boolean isLast = true;
        for (int t = 0; t < shape.size(); t++) {
            if (done[t] < shape.get(t).size()) {
                isLast = false;
                if (mayBegin(shape, done, t)) {
                    begun.add(t);
                    done[t]++;
                    interleave(shape, begun, done, found);
                    done[t]--;
                    begun.remove(begun.size() - 1);
                }
            }
        }
        if (isLast) {
            found.add(List.copyOf(begun));
        }
    }

    private static boolean mayBegin(List<List<Step>> shape, int[] done, int transaction) {
        for (int t = 0; t < transaction; t++) {
            if (done[t] == 0 && shape.get(t).equals(shape.get(transaction))) {
                return false;
            }
        }
        return true;
    }

    private static Faults allRuns(List<List<Step>> shape, Supplier<Relay> relays) {
        Faults total = NONE;
        for (List<Integer> order : interleavings(shape)) {
            for (int commits = 0; commits < 1 << shape.size(); commits++) {
                for (int first = 0; first < order.size(); first++) {
                    for (int second = first; second < order.size(); second++) {
                        total = total.plus(run(shape, order, commits, first, second, relays.get()));
                    }
                }
            }
        }
        return total;
    }

    /** One run, with reads after two of the steps, and reads to the end when all have ended. */
    private static Faults run(
            List<List<Step>> shape, List<Integer> order, int commits, int first, int second, Relay relay) {
        OutboxModel database = new OutboxModel();
        List<String> read = new ArrayList<>();
        int[] done = new int[shape.size()];
        for (int place = 0; place < order.size(); place++) {
            int transaction = order.get(place);
            String name = "t" + transaction;
            switch (shape.get(transaction).get(done[transaction]++)) {
                case NUMBER -> database.takesNumber(name);
                case ID -> database.getsId(name);
                case END -> database.ends(name, (commits & 1 << transaction) != 0);
            }
            if (place == first || place == second) {
                read.addAll(relay.reads(database));
            }
        }
        // The first empty read may only be the end of an interval.
        int empty = 0;
        for (int i = 0; i < order.size() && empty < 2; i++) {
            List<String> names = relay.reads(database);
            read.addAll(names);
            empty = names.isEmpty() ? empty + 1 : 0;
        }
        return faults(shape, order, commits, read);
    }

    private static Faults faults(List<List<Step>> shape, List<Integer> order, int commits, List<String> read) {
        int missed = 0;
        int repeated = 0;
        int reordered = 0;
        for (int t = 0; t < shape.size(); t++) {
            int expected = (commits & 1 << t) != 0 ? 1 : 0;
            int rows = Collections.frequency(shape.get(t), Step.NUMBER);
            int previous = -1;
            for (int row = 0; row < rows; row++) {
                String name = "t" + t + "." + row;
                int times = Collections.frequency(read, name);
                missed += Math.max(0, expected - times);
                repeated += Math.max(0, times - expected);
                int place = read.indexOf(name);
                reordered += times > 0 && place < previous ? 1 : 0;
                previous = place;
            }
            for (int later = 0; later < shape.size(); later++) {
                // The one had ended when the other took its number: so it is where both lock the same aggregate.
                boolean inTurn = order.lastIndexOf(t) < firstNumber(shape, order, later);
                int last = read.lastIndexOf("t" + t + "." + (rows - 1));
                int next = read.indexOf("t" + later + ".0");
                reordered += inTurn && next >= 0 && last > next ? 1 : 0;
            }
        }
        return new Faults(missed, repeated, reordered);
    }

    /** The place at which a transaction takes its first number. */
    private static int firstNumber(List<List<Step>> shape, List<Integer> order, int transaction) {
        int left = shape.get(transaction).indexOf(Step.NUMBER);
        for (int place = order.indexOf(transaction); ; place++) {
            if (order.get(place) == transaction && left-- == 0) {
                return place;
            }
        }
    }

    @Test
    void knowsEveryInterleaving() {
        // 9 steps of three, and 10 of two, without the orders that only differ in names.
        assertThat(SHAPES).extracting(shape -> interleavings(shape).size()).containsExactly(280, 280, 840, 840, 126);
    }

    @Test
    void readsEveryInterleavingOnceAndInOrder() {
        assertThat(SHAPES)
                .allSatisfy(shape ->
                        assertThat(allRuns(shape, () -> new BySnapshots(false))).isEqualTo(NONE));
    }

    @Test
    void readsEveryInterleavingOnceAndInOrderWithARestartBeforeEachRead() {
        assertThat(SHAPES)
                .allSatisfy(shape ->
                        assertThat(allRuns(shape, () -> new BySnapshots(true))).isEqualTo(NONE));
    }

    @Test
    void findsThatNumbersAboveTheLastOneMissRows() {
        assertThat(SHAPES).allSatisfy(shape -> {
            Faults faults = allRuns(shape, ByNumber::new);
            assertThat(faults.missed()).isPositive();
            assertThat(faults.repeated()).isZero();
        });
    }

    /** The rule of the oldest running transaction misses none, and reads a key in a wrong order. */
    @Test
    void findsThatIdsAreNoOrder() {
        Faults faults = allRuns(List.of(LOCKS, LOCKS, LOCKS), ByHorizon::new);
        assertThat(faults.missed()).isZero();
        assertThat(faults.repeated()).isZero();
        assertThat(faults.reordered()).isPositive();
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
