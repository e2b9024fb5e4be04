package io.microbatch.testbed.reference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.microbatch.testbed.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.connect.errors.ConnectException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class QueueServerTest {

    private static final int PREFETCH = 4;

    private final QueueServer server = QueueServer.start();

    @BeforeEach
    void fill() {
        for (int i = 0; i < 10; i++) {
            server.put("queue", "message " + i);
        }
    }

    @AfterEach
    void close() {
        server.close();
    }

    private QueueClient open() {
        return new QueueClient(server.address(), "queue", PREFETCH, StoredQueue.AS_QUEUE);
    }

    private static List<Long> take(QueueClient client, int count) throws InterruptedException {
        List<Long> ids = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            ids.add(client.take().id());
        }
        return ids;
    }

    private void awaitAcknowledged(long count) {
        Await.until(
                count + " are acknowledged",
                Duration.ofSeconds(30),
                () -> server.acknowledged("queue") == count,
                () -> Long.toString(server.acknowledged("queue")));
    }

    @Test
    void deliversNoMoreThanThePrefetchLimit() throws InterruptedException {
        try (QueueClient client = open()) {
            assertThat(take(client, PREFETCH)).containsExactly(0L, 1L, 2L, 3L);
            assertThat(client.poll(50)).isNull();
            client.acknowledge(1);
            assertThat(client.take()).isEqualTo(new QueueClient.Message(4, "message 4"));
        }
    }

    @Test
    void redeliversUnacknowledgedMessagesInOrder() throws InterruptedException {
        try (QueueClient client = open()) {
            assertThat(take(client, PREFETCH)).hasSize(PREFETCH);
            client.acknowledge(1);
            awaitAcknowledged(1);
        }
        try (QueueClient client = open()) {
            assertThat(take(client, PREFETCH)).containsExactly(0L, 2L, 3L, 4L);
            client.acknowledgeThrough(3);
            awaitAcknowledged(4);
        }
        try (QueueClient client = open()) {
            assertThat(take(client, PREFETCH)).containsExactly(4L, 5L, 6L, 7L);
        }
    }

    @Test
    void endsTheEarlierSessionAndIgnoresItsLateAcknowledgements() throws InterruptedException {
        try (QueueClient before = open()) {
            assertThat(take(before, PREFETCH)).hasSize(PREFETCH);
            try (QueueClient after = open()) {
                assertThat(take(after, PREFETCH)).containsExactly(0L, 1L, 2L, 3L);
                assertThatThrownBy(() -> take(before, 1)).isInstanceOf(ConnectException.class);
                after.acknowledge(0);
                awaitAcknowledged(1);
            }
        }
    }

    @Test
    void getsAMessageForEachAcknowledgementWhileItIsKeptFull() throws InterruptedException {
        server.keepFull("queue", true);
        try (QueueClient client = open()) {
            assertThat(take(client, 2)).containsExactly(0L, 1L);
            client.acknowledgeThrough(1);
            awaitAcknowledged(2);
            assertThat(server.size("queue")).isEqualTo(12);
            server.keepFull("queue", false);
            client.acknowledge(2);
            awaitAcknowledged(3);
            assertThat(server.size("queue")).isEqualTo(12);
        }
        try (QueueClient client = new QueueClient(server.address(), "queue", 100, 10)) {
            assertThat(client.take()).isEqualTo(new QueueClient.Message(10, "m10"));
            assertThat(client.take()).isEqualTo(new QueueClient.Message(11, "m11"));
        }
    }

    @Test
    void isReadAsALogFromAnyMessage() throws InterruptedException {
        try (QueueClient client = new QueueClient(server.address(), "queue", 100, 3)) {
            assertThat(take(client, 7)).containsExactly(3L, 4L, 5L, 6L, 7L, 8L, 9L);
        }
        assertThat(server.acknowledged("queue")).isZero();
    }
}
