package io.microbatch.bench.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.bench.http.HttpStack.Peer;
import io.microbatch.bench.http.LoadLoop.Times;
import io.microbatch.bench.http.Shape.Format;
import io.microbatch.testbed.TestbedHome;
import io.microbatch.testbed.WorkDirectory;
import io.microbatch.testbed.failpoint.Failpoint;
import io.microbatch.testbed.failpoint.FailpointAction;
import io.microbatch.testbed.failpoint.FailpointControl;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Short turns of the contenders: every answer is compared with the topic, and every figure is measured. */
class HttpRunIT {

    private static final Times SHORT = new Times(200, 3_000);
    private static final Cell TEN_RECORDS = new Cell(Cell.Load.RATE, 16, 100, 100, 10, 5_000, 8);

    private static WorkDirectory work;
    private static FailpointControl failpoints;
    private static HttpStack stack;

    @BeforeAll
    static void start() {
        work = WorkDirectory.create("http-it");
        failpoints = new FailpointControl(TestbedHome.locate(), work.path().resolve("failpoints"));
        stack = new HttpStack(work.path(), new Peer(null, -1, ""), List.of(failpoints.jvmOption()), Map.of());
    }

    @AfterAll
    static void stop() throws IOException {
        stack.close();
        work.close();
    }

    @ParameterizedTest
    @EnumSource(
            value = HttpContender.class,
            names = {"HTTP_EOS", "HTTP_EOS_KEYS", "HTTP_ALO", "SERVLET", "SERVLET_TX", "SERVLET_TX_GROUP", "ASYNC"})
    void verifiesAClosedLoopOfJson(HttpContender contender) {
        HttpTurn turn = new HttpRun(stack, Format.REST).turn(contender, Cell.SIXTEEN, 0, SHORT);

        assertThat(turn.verified()).as("%s", turn.toJson()).isTrue();
        assertThat(turn.found().records()).isGreaterThanOrEqualTo(turn.load().answered());
        assertThat(turn.recordsPerSec()).isPositive();
        assertThat(turn.latencyMs(50)).isPositive().isLessThanOrEqualTo(turn.latencyMs(99));
        assertThat(turn.cpuSecPerMillion()).isPositive();
        assertThat(turn.clientCpuSecPerMillion()).isPositive();
        assertThat(turn.load().hung()).isZero();
    }

    @ParameterizedTest
    @EnumSource(
            value = HttpContender.class,
            names = {
                "HTTP_EOS",
                "HTTP_ALO",
                "SERVLET",
                "SERVLET_TX",
                "SERVLET_TX_GROUP",
                "ASYNC",
                "ASYNC_TX_GROUP_W5_P2"
            })
    void verifiesLinesAtARate(HttpContender contender) {
        HttpTurn turn = new HttpRun(stack, Format.EVENTS).turn(contender, TEN_RECORDS, 100, SHORT);

        assertThat(turn.verified()).as("%s", turn.toJson()).isTrue();
        assertThat(turn.found().records())
                .isGreaterThanOrEqualTo(10 * turn.load().answered());
        assertThat(turn.load().statuses()).containsKey(200);
    }

    @ParameterizedTest
    @CsvSource({"ALTER, 1, 0, 0, 1", "SWAP, 0, 0, 1, 0", "DUPLICATE, 0, 1, 0, 0"})
    void doesNotVerifyAPlantedBug(FailpointAction bug, long lost, long duplicated, long reordered, long foreign) {
        failpoints.arm(Failpoint.BEFORE_POLL_RETURNS, bug, 3);
        HttpTurn turn = new HttpRun(stack, Format.EVENTS).turn(HttpContender.HTTP_EOS, TEN_RECORDS, 100, SHORT);
        failpoints.disarm();

        assertThat(failpoints.wasHit()).isTrue();
        assertThat(turn.verified()).isFalse();
        assertThat(turn.found().lost()).isEqualTo(lost);
        assertThat(turn.found().duplicated()).isEqualTo(duplicated);
        assertThat(turn.found().reordered()).isEqualTo(reordered);
        assertThat(turn.found().foreign()).isEqualTo(foreign);
    }
}
