package io.microbatch.connect.upstream.hosted;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.connect.errors.ConnectException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class TaskConfigsQuestionTest {

    private static final long GENEROUS_MS = 30_000;

    private final List<Map<String, String>> answer = List.of(Map.of("task", "0"));
    private final CountDownLatch release = new CountDownLatch(1);
    private final CountDownLatch interrupted = new CountDownLatch(1);
    private final AtomicInteger calls = new AtomicInteger();
    private final Callable<List<Map<String, String>>> slow = () -> {
        calls.incrementAndGet();
        try {
            release.await();
        } catch (InterruptedException e) {
            interrupted.countDown();
            throw e;
        }
        return answer;
    };

    @Test
    void returnsTheAnswerOfTheConnector() {
        assertThat(new TaskConfigsQuestion(GENEROUS_MS, GENEROUS_MS).ask(1, () -> answer))
                .isSameAs(answer);
    }

    @Test
    void rethrowsTheExceptionOfTheConnector() {
        IllegalStateException cause = new IllegalStateException("no table");
        assertThatThrownBy(() -> new TaskConfigsQuestion(GENEROUS_MS, GENEROUS_MS).ask(1, () -> {
                    throw cause;
                }))
                .isSameAs(cause);
    }

    @Test
    void limitsItsWaitAndReturnsTheLateAnswerToTheNextCall() {
        TaskConfigsQuestion question = new TaskConfigsQuestion(1, GENEROUS_MS);
        assertThatThrownBy(() -> question.ask(1, slow))
                .isInstanceOf(ConnectException.class)
                .hasMessageContaining("A distributed worker asks again");
        release.countDown();
        assertThat(question.ask(1, slow)).isSameAs(answer);
        assertThat(calls).hasValue(1);
    }

    @Test
    void asksAgainForAnotherNumberOfTasks() throws InterruptedException {
        TaskConfigsQuestion question = new TaskConfigsQuestion(1, 1);
        CountDownLatch askedAnew = new CountDownLatch(1);
        assertThatThrownBy(() -> question.ask(1, slow)).isInstanceOf(ConnectException.class);
        assertThatThrownBy(() -> question.ask(2, () -> {
                    askedAnew.countDown();
                    return slow.call();
                }))
                .isInstanceOf(ConnectException.class);
        assertThat(askedAnew.await(30, TimeUnit.SECONDS)).isTrue();
        release.countDown();
    }

    @Test
    void interruptsACallThatHangsWhenTheConnectorStops() throws InterruptedException {
        TaskConfigsQuestion question = new TaskConfigsQuestion(200, 1);
        assertThatThrownBy(() -> question.ask(1, slow)).isInstanceOf(ConnectException.class);
        question.cancel();
        // A call that has not begun never begins.
        assertThat(calls.get() == 0 || interrupted.await(30, TimeUnit.SECONDS)).isTrue();
    }

    /** A standalone worker asks while the connector requests new tasks, with what it has locked. */
    @Test
    void asksOnTheThreadOnWhichNewTasksAreRequested() {
        TaskConfigsQuestion question = new TaskConfigsQuestion(GENEROUS_MS, GENEROUS_MS);
        Object lock = new Object();
        List<List<Map<String, String>>> answers = new ArrayList<>();
        synchronized (lock) {
            question.whileRequested(() -> answers.add(question.ask(1, () -> {
                synchronized (lock) {
                    return answer;
                }
            })));
        }
        assertThat(answers).containsExactly(answer);
    }
}
