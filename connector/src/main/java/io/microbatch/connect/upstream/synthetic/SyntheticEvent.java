package io.microbatch.connect.upstream.synthetic;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/**
 * The bytes of a generated event: a header that a checker can verify alone, and filler.
 * <pre>
 * offset  bytes  field
 *      0      8  seed
 *      8      4  source partition
 *     12      4  length of the whole value
 *     16      8  sequence within the source partition, from 0
 *     24      8  intended time, nanoseconds since 1970
 *     32      4  CRC32C of the filler
 *     36      4  CRC32C of bytes 0 to 35
 *     40      …  filler
 * </pre>
 *
 * <p>Everything but the intended time follows from seed, source partition and sequence. An instance has scratch buffers
 * and belongs to one thread.
 */
public final class SyntheticEvent {

    /** The bytes before the filler. */
    public static final int HEADER_BYTES = 40;

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle LITTLE_LONGS =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private static final byte[] WORDS =
            "the quick brown event jumps over the lazy batch and comes to rest in its transaction "
                    .getBytes(StandardCharsets.US_ASCII);

    private final CRC32C crc = new CRC32C();

    /**
     * The header of an event. The sequence counts within the source partition from 0. The time at which the event was
     * due is in nanoseconds since 1970.
     */
    public record Header(long seed, int partition, long sequence, long intendedEpochNanos) {}

    /** Builds the value of an event. */
    public byte[] encode(
            long seed, int partition, long sequence, long intendedEpochNanos, int sizeBytes, boolean compressible) {
        byte[] bytes = new byte[sizeBytes];
        fill(bytes, sizeBytes, mix(seed, partition, sequence), compressible);
        crc.reset();
        crc.update(bytes, HEADER_BYTES, sizeBytes - HEADER_BYTES);
        LONGS.set(bytes, 0, seed);
        INTS.set(bytes, 8, partition);
        INTS.set(bytes, 12, sizeBytes);
        LONGS.set(bytes, 16, sequence);
        LONGS.set(bytes, 24, intendedEpochNanos);
        INTS.set(bytes, 32, (int) crc.getValue());
        crc.reset();
        crc.update(bytes, 0, HEADER_BYTES - Integer.BYTES);
        INTS.set(bytes, 36, (int) crc.getValue());
        return bytes;
    }

    /**
     * Gives the event at this offset in an array another place in its source partition and another time. The filler
     * stays.
     */
    public void restamp(byte[] bytes, int offset, long sequence, long intendedEpochNanos) {
        LONGS.set(bytes, offset + 16, sequence);
        LONGS.set(bytes, offset + 24, intendedEpochNanos);
        crc.reset();
        crc.update(bytes, offset, HEADER_BYTES - Integer.BYTES);
        INTS.set(bytes, offset + 36, (int) crc.getValue());
    }

    /** Reads and verifies an event. Throws IllegalArgumentException if a byte is not as it was generated. */
    public Header decode(byte[] bytes) {
        if (bytes == null) {
            throw new IllegalArgumentException("not a synthetic event: empty");
        }
        return decode(bytes, 0, bytes.length);
    }

    /** Same as {@link #decode(byte[])} for a part of an array. */
    public Header decode(byte[] bytes, int offset, int sizeBytes) {
        if (sizeBytes < HEADER_BYTES) {
            throw new IllegalArgumentException("not a synthetic event: too short");
        }
        crc.reset();
        crc.update(bytes, offset, HEADER_BYTES - Integer.BYTES);
        if ((int) INTS.get(bytes, offset + 36) != (int) crc.getValue()
                || (int) INTS.get(bytes, offset + 12) != sizeBytes) {
            throw new IllegalArgumentException("corrupt header");
        }
        crc.reset();
        crc.update(bytes, offset + HEADER_BYTES, sizeBytes - HEADER_BYTES);
        if ((int) INTS.get(bytes, offset + 32) != (int) crc.getValue()) {
            throw new IllegalArgumentException("corrupt filler");
        }
        return new Header(
                (long) LONGS.get(bytes, offset),
                (int) INTS.get(bytes, offset + 8),
                (long) LONGS.get(bytes, offset + 16),
                (long) LONGS.get(bytes, offset + 24));
    }

    /** A number that depends on all three and looks random (the finalizer of SplitMix64, Steele et al. 2014). */
    static long mix(long seed, int partition, long sequence) {
        return scramble(seed ^ scramble(((long) partition << 40) ^ sequence));
    }

    private static long scramble(long input) {
        long z = input + 0x9E3779B97F4A7C15L;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }

    private static void fill(byte[] bytes, int end, long start, boolean compressible) {
        if (compressible) {
            int from = (int) Math.floorMod(start, (long) WORDS.length);
            for (int i = HEADER_BYTES; i < end; ) {
                int length = Math.min(end - i, WORDS.length - from);
                System.arraycopy(WORDS, from, bytes, i, length);
                i += length;
                from = 0;
            }
            return;
        }
        long state = start;
        int at = HEADER_BYTES;
        for (; at <= end - Long.BYTES; at += Long.BYTES) {
            state = scramble(state);
            LITTLE_LONGS.set(bytes, at, state);
        }
        long word = scramble(state);
        for (; at < end; at++) {
            bytes[at] = (byte) word;
            word >>>= Byte.SIZE;
        }
    }
}
