package io.microbatch.connect.bulk;

/**
 * Writes unsigned base-128 varints and zigzag, as protobuf defines them. Stateless.
 *
 * @see <a href="https://protobuf.dev/programming-guides/encoding/">Protocol Buffers: Encoding</a>
 */
final class Varints {

    /** The maximum bytes of a length. */
    static final int MAX_INT_BYTES = 5;
    /** The maximum bytes of a 64-bit number. */
    static final int MAX_LONG_BYTES = 10;

    private static final int CONTINUES = 0x80;

    private Varints() {}

    static int size(int unsigned) {
        // Each group of seven bits takes a byte, and 0 takes one too. (bits * 9 + 64) / 64 is exact for all sizes.
        int bits = Integer.SIZE - Integer.numberOfLeadingZeros(unsigned | 1);
        return (bits * 9 + 64) >>> 6;
    }

    static int size(long unsigned) {
        int bits = Long.SIZE - Long.numberOfLeadingZeros(unsigned | 1);
        return (bits * 9 + 64) >>> 6;
    }

    /** Returns the offset after the last byte. */
    static int write(int unsigned, byte[] target, int at) {
        int rest = unsigned;
        int next = at;
        while ((rest & -CONTINUES) != 0) {
            target[next++] = (byte) (rest | CONTINUES);
            rest >>>= 7;
        }
        target[next++] = (byte) rest;
        return next;
    }

    /** Returns the offset after the last byte. */
    static int write(long unsigned, byte[] target, int at) {
        long rest = unsigned;
        int next = at;
        while ((rest & -CONTINUES) != 0) {
            target[next++] = (byte) (rest | CONTINUES);
            rest >>>= 7;
        }
        target[next++] = (byte) rest;
        return next;
    }

    /** Maps 0, -1, 1, -2 to 0, 1, 2, 3, so that numbers near 0 are short. */
    static long zigzag(long signed) {
        return (signed << 1) ^ (signed >> 63);
    }

    static long unzigzag(long zigzag) {
        return (zigzag >>> 1) ^ -(zigzag & 1);
    }
}
