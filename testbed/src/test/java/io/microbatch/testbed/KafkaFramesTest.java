package io.microbatch.testbed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class KafkaFramesTest {

    private static final short PRODUCE = 0;
    private static final short METADATA = 3;
    private static final long DELAY_MS = 50;

    private final AtomicLong delayMs = new AtomicLong();
    private final KafkaFrames frames = new KafkaFrames(delayMs::get);

    private static byte[] request(short api, int id) {
        return ByteBuffer.allocate(14)
                .putInt(10)
                .putShort(api)
                .putShort((short) 9)
                .putInt(id)
                .putShort((short) -1)
                .array();
    }

    private static byte[] answer(int id) {
        return ByteBuffer.allocate(9).putInt(5).putInt(id).put((byte) 1).array();
    }

    private void pass(byte[]... requests) throws IOException {
        for (byte[] request : requests) {
            ByteArrayOutputStream onward = new ByteArrayOutputStream();
            frames.pass(new ByteArrayInputStream(request), onward);
            assertThat(onward.toByteArray()).isEqualTo(request);
        }
    }

    /** Reads the responses, as many bytes as they have. */
    private byte[] back(int... ids) throws IOException {
        for (int id : ids) {
            frames.read(new ByteArrayInputStream(answer(id)));
        }
        PipedInputStream client = new PipedInputStream();
        PipedOutputStream toClient = new PipedOutputStream(client);
        Thread writer = new Thread(() -> {
            try {
                frames.write(toClient);
            } catch (IOException e) {
                CompletableFuture.failedFuture(e).join();
            }
        });
        writer.start();
        byte[] bytes = client.readNBytes(9 * ids.length);
        writer.interrupt();
        return bytes;
    }

    @Test
    void holdsBackTheResponseToProduce() throws IOException {
        delayMs.set(DELAY_MS);
        pass(request(PRODUCE, 7));
        long beganNanos = System.nanoTime();
        assertThat(back(7)).isEqualTo(answer(7));
        assertThat(System.nanoTime() - beganNanos).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(DELAY_MS));
    }

    @Test
    void passesEverythingElseImmediately() throws IOException {
        // A response that is held back would exceed the time limit.
        delayMs.set(TimeUnit.MINUTES.toMillis(10));
        pass(request(METADATA, 8));
        assertThat(back(8)).isEqualTo(answer(8));
    }

    @Test
    void keepsTheOrderOfResponses() throws IOException {
        delayMs.set(DELAY_MS);
        pass(request(PRODUCE, 1), request(METADATA, 2));
        assertThat(back(1, 2))
                .isEqualTo(ByteBuffer.allocate(18).put(answer(1)).put(answer(2)).array());
    }

    @Test
    void refusesBytesThatAreNotTheProtocol() {
        assertThatThrownBy(() -> pass(new byte[] {'G', 'E', 'T', ' ', '/', 0, 0, 0}))
                .isInstanceOf(IOException.class);
    }
}
