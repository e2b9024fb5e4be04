package io.microbatch.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.bench.load.ThreadClock.Part;
import io.microbatch.bench.load.ThreadClock.ThreadTimes;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ThreadClockTest {

    @ParameterizedTest
    @CsvSource({
        "GC Thread#0, COLLECTOR",
        "G1 Conc#0, COLLECTOR",
        "G1 Refine#1, COLLECTOR",
        "VM Thread, COLLECTOR",
        "C2 CompilerThre, COMPILERS",
        "C1 CompilerThre, COMPILERS",
        "debezium-postgr, DEBEZIUM",
        "task-thread-ord, TASK",
        "kafka-producer-, PRODUCER",
        "orders-0-reader, READER",
        "qtp12-34, OTHER",
        "orders, OTHER",
    })
    void knowsAThreadByTheBeginningOfItsName(String name, Part part) {
        assertThat(ThreadClock.part(name, "orders")).isEqualTo(part);
    }

    @Test
    void knowsTheReaderOfAConnectorWhoseNameIsLongerThanTheKernelKeeps() {
        assertThat(ThreadClock.part("a-name-of-many-", "a-name-of-many-letters"))
                .isEqualTo(Part.READER);
    }

    @Test
    void countsWhatWasUsedInBetweenAndThreadsThatBeganThen() {
        ThreadTimes before = new ThreadTimes(Map.of(1L, Map.entry(Part.TASK, 2.0), 2L, Map.entry(Part.OTHER, 9.0)));
        ThreadTimes after = new ThreadTimes(
                Map.of(1L, Map.entry(Part.TASK, 2.5), 3L, Map.entry(Part.TASK, 1.0), 4L, Map.entry(Part.READER, 0.25)));
        assertThat(after.since(before)).isEqualTo(Map.of(Part.TASK, 1.5, Part.READER, 0.25));
    }

    @Test
    void findsTheThreadsOfThisProcess() throws InterruptedException {
        CountDownLatch end = new CountDownLatch(1);
        CountDownLatch begun = new CountDownLatch(1);
        Thread thread = new Thread(
                () -> {
                    begun.countDown();
                    try {
                        end.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                },
                "task-thread-x");
        thread.start();
        begun.await();
        try {
            ThreadTimes reading = ThreadClock.read(ProcessHandle.current().pid(), "x");
            assertThat(reading.since(new ThreadTimes(Map.of())))
                    .containsKeys(Part.TASK, Part.OTHER)
                    .allSatisfy((part, sec) -> assertThat(sec).isNotNegative());
        } finally {
            end.countDown();
            thread.join();
        }
    }
}
