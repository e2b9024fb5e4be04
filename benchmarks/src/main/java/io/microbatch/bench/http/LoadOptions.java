package io.microbatch.bench.http;

import java.util.List;
import java.util.function.Function;
import picocli.CommandLine.Option;

/** Options that replace the loads of a preset by every combination of their values. */
final class LoadOptions {

    private static final int MAX_CLIENTS = 1_000;
    private static final int MAX_RATE = 100_000;
    private static final int MAX_BYTES = 100_000;
    private static final int MAX_RECORDS = 1_000;
    private static final int MAX_REQUEST_BYTES = 1_000_000;
    private static final int MAX_TIMEOUT_MS = 600_000;

    @Option(names = "--clients", paramLabel = "N", split = ",", description = "connections, 1 to " + MAX_CLIENTS)
    private List<Integer> clients;

    @Option(names = "--rates", paramLabel = "N", split = ",", description = "requests/s; 0 is a closed loop")
    private List<Integer> rates;

    @Option(names = "--bytes", paramLabel = "N", split = ",", description = "bytes of a record")
    private List<Integer> bytes;

    @Option(names = "--records", paramLabel = "N", split = ",", description = "records of a request")
    private List<Integer> records;

    @Option(names = "--timeouts-ms", paramLabel = "N", split = ",", description = "timeouts of a request")
    private List<Integer> timeoutsMs;

    boolean isGiven() {
        return clients != null || rates != null || bytes != null || records != null || timeoutsMs != null;
    }

    /** Every combination. What is not given is as usual. */
    List<Cell> cells(Function<String, RuntimeException> wrong) {
        List<Integer> connections = within("--clients", clients, List.of(256), 1, MAX_CLIENTS, wrong);
        List<Integer> perSec = within("--rates", rates, List.of(0), 0, MAX_RATE, wrong);
        List<Integer> sizes =
                within("--bytes", bytes, List.of(Cell.USUAL_BYTES), EventCodec.MIN_BYTES, MAX_BYTES, wrong);
        List<Integer> counts = within("--records", records, List.of(1), 1, MAX_RECORDS, wrong);
        List<Integer> timeouts =
                within("--timeouts-ms", timeoutsMs, List.of(Cell.USUAL_TIMEOUT_MS), 1, MAX_TIMEOUT_MS, wrong);
        List<Cell> cells = Cell.every(connections, perSec, sizes, counts, timeouts);
        if (cells.stream().anyMatch(cell -> cell.bytes() * cell.records() > MAX_REQUEST_BYTES)) {
            throw wrong.apply("a request has " + MAX_REQUEST_BYTES + " bytes at most");
        }
        return cells;
    }

    private static List<Integer> within(
            String option,
            List<Integer> given,
            List<Integer> usual,
            int min,
            int max,
            Function<String, RuntimeException> wrong) {
        List<Integer> values = given == null ? usual : given;
        if (values.stream().anyMatch(value -> value < min || value > max)) {
            throw wrong.apply(option + " is " + min + " to " + max);
        }
        return values.stream().distinct().toList();
    }
}
