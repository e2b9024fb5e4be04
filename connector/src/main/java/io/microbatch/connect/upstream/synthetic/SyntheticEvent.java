package io.microbatch.connect.upstream.synthetic;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/**
 * The bytes of a generated event: a header that a checker can verify without knowing anything else, and filler.
 *
 * <pre>
 * offset  bytes  field
 *      0      8  seed
 *      8      4  source partition
 *     12      4  length of the whole value
 *     16      8  sequence within the source partition, from 0
 *     24      8  intended time, nanoseconds since the epoch
 *     32      4  CRC32C of the filler
 *     36      4  CRC32C of bytes 0 to 35
 *     40      …  filler
 * </pre>
 *
 * Everything but the intended time follows from seed, source partition and sequence. Stateless but for the scratch
 * buffers of an instance; one thread.
 */
public final class SyntheticEvent {

    /** The bytes before the filler. */
    public static final int HEADER_BYTES = 40;

    private static final byte[] WORDS =
            "the quick brown event jumps over the lazy batch and comes to rest in its transaction "
                    .getBytes(StandardCharsets.US_ASCII);

    private final CRC32C crc = new CRC32C();

    /**
     * What a checker reads out of an event.
     *
     * @param seed the generator's seed
     * @param partition the source partition
     * @param sequence the place in the source partition, from 0
     * @param intendedEpochNanos when the event was due
     */
    public record Header(long seed, int partition, long sequence, long intendedEpochNanos) {}

    /** Builds the value of an event. */
    public byte[] encode(
            long seed, int partition, long sequence, long intendedEpochNanos, int sizeBytes, boolean compressible) {
        byte[] bytes = new byte[sizeBytes];
        fill(bytes, mix(seed, partition, sequence), compressible);
        crc.reset();
        crc.update(bytes, HEADER_BYTES, sizeBytes - HEADER_BYTES);
        ByteBuffer header = ByteBuffer.wrap(bytes);
        header.putLong(seed);
        header.putInt(partition);
        header.putInt(sizeBytes);
        header.putLong(sequence);
        header.putLong(intendedEpochNanos);
        header.putInt((int) crc.getValue());
        crc.reset();
        crc.update(bytes, 0, HEADER_BYTES - Integer.BYTES);
        header.putInt((int) crc.getValue());
        return bytes;
    }

    /**
     * Gives an event that lies among others another place in its source partition and another time. The filler stays.
     *
     * @param bytes what holds the event
     * @param offset where its first byte is
     */
    public void restamp(byte[] bytes, int offset, long sequence, long intendedEpochNanos) {
        ByteBuffer header = ByteBuffer.wrap(bytes, offset, HEADER_BYTES);
        header.putLong(offset + 16, sequence);
        header.putLong(offset + 24, intendedEpochNanos);
        crc.reset();
        crc.update(bytes, offset, HEADER_BYTES - Integer.BYTES);
        header.putInt(offset + 36, (int) crc.getValue());
    }

    /**
     * Reads and verifies an event.
     *
     * @throws IllegalArgumentException if a single byte is not as it was generated
     */
    public Header decode(byte[] bytes) {
        if (bytes == null || bytes.length < HEADER_BYTES) {
            throw new IllegalArgumentException("not a synthetic event: too short");
        }
        ByteBuffer header = ByteBuffer.wrap(bytes);
        Header read = new Header(header.getLong(0), header.getInt(8), header.getLong(16), header.getLong(24));
        crc.reset();
        crc.update(bytes, 0, HEADER_BYTES - Integer.BYTES);
        if (header.getInt(36) != (int) crc.getValue() || header.getInt(12) != bytes.length) {
            throw new IllegalArgumentException("corrupt header");
        }
        crc.reset();
        crc.update(bytes, HEADER_BYTES, bytes.length - HEADER_BYTES);
        if (header.getInt(32) != (int) crc.getValue()) {
            throw new IllegalArgumentException("corrupt filler");
        }
        return read;
    }

    /** A number that depends on all three and looks random (the finaliser of SplitMix64, Steele et al. 2014). */
    static long mix(long seed, int partition, long sequence) {
        return scramble(seed ^ scramble(((long) partition << 40) ^ sequence));
    }

    private static long scramble(long input) {
        long z = input + 0x9E3779B97F4A7C15L;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }

    private static void fill(byte[] bytes, long start, boolean compressible) {
        if (compressible) {
            int from = (int) Math.floorMod(start, (long) WORDS.length);
            for (int i = HEADER_BYTES; i < bytes.length; i++) {
                bytes[i] = WORDS[(from + i) % WORDS.length];
            }
            return;
        }
        long state = start;
        for (int i = HEADER_BYTES; i < bytes.length; ) {
            state = scramble(state);
            long word = state;
            for (int end = Math.min(bytes.length, i + Long.BYTES); i < end; i++) {
                bytes[i] = (byte) word;
                word >>>= Byte.SIZE;
            }
        }
    }
}
