package io.microbatch.testbed;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * One connection as frames of the Kafka protocol. A request or response follows its length, and the correlation id
 * assigns a response to its request. Responses to Produce are delayed, as by a broker with slow storage. All responses
 * keep their order. One thread each for {@link #pass}, {@link #read} and {@link #write}.
 */
final class KafkaFrames {

    private static final short PRODUCE = 0;
    private static final int MAX_BYTES = 256 << 20;
    private static final int HEAD_BYTES = 8;
    /** After the length: the API key and its version. */
    private static final int CORRELATION_AT = 8;

    private final LongSupplier delayMs;
    private final Set<Integer> produceIds = ConcurrentHashMap.newKeySet();
    private final BlockingQueue<Answer> answers = new LinkedBlockingQueue<>();

    /** A response and the earliest time of its return. */
    private record Answer(byte[] frame, long dueNanos) {}

    KafkaFrames(LongSupplier delayMs) {
        this.delayMs = delayMs;
    }

    /** Passes requests on until the client ends, and records the ids of Produce requests. */
    void pass(InputStream requests, OutputStream onward) throws IOException {
        DataInputStream in = new DataInputStream(requests);
        while (true) {
            byte[] frame = frame(in);
            if (frame == null) {
                return;
            }
            ByteBuffer head = ByteBuffer.wrap(frame, Integer.BYTES, HEAD_BYTES);
            if (head.getShort() == PRODUCE) {
                boolean ignored = produceIds.add(head.getInt(CORRELATION_AT));
            }
            onward.write(frame);
        }
    }

    /** Reads the broker's responses until it ends. */
    void read(InputStream in) throws IOException {
        DataInputStream data = new DataInputStream(in);
        for (byte[] frame = frame(data); frame != null; frame = frame(data)) {
            boolean produced = produceIds.remove(ByteBuffer.wrap(frame).getInt(Integer.BYTES));
            long delayNanos = produced ? TimeUnit.MILLISECONDS.toNanos(delayMs.getAsLong()) : 0;
            answers.add(new Answer(frame, System.nanoTime() + delayNanos));
        }
    }

    /** Returns the responses, each when it is due, until the connection ends. */
    void write(OutputStream back) throws IOException {
        try {
            while (true) {
                Answer answer = answers.take();
                for (long left = answer.dueNanos() - System.nanoTime();
                        left > 0;
                        left = answer.dueNanos() - System.nanoTime()) {
                    LockSupport.parkNanos(left);
                    if (Thread.interrupted()) {
                        throw new InterruptedException();
                    }
                }
                back.write(answer.frame());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The next frame with its length. Null at the end of the stream. */
    private static byte[] frame(DataInputStream in) throws IOException {
        int length;
        try {
            length = in.readInt();
        } catch (EOFException e) {
            return null;
        }
        if (length < HEAD_BYTES / 2 || length > MAX_BYTES) {
            throw new IOException("not the Kafka protocol: a frame of " + length + " bytes");
        }
        byte[] frame = new byte[Integer.BYTES + length];
        ByteBuffer.wrap(frame).putInt(length);
        in.readFully(frame, Integer.BYTES, length);
        return frame;
    }
}
