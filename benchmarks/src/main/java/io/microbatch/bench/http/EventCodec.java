package io.microbatch.bench.http;

import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;

/**
 * The bytes of an event: a JSON string of a fixed length that a checker can verify alone.
 * <pre>
 * "http RRRRRRRR CCCC NNNNNNNN IIII filler CCCCCCCC"
 * </pre>
 *
 * <p>In hexadecimal digits: the run, the client, the request of the client from 0, the record in the request from 0,
 * and the CRC32C of all between the first quotation mark and itself. Plain text, so that no server that
 * reads and writes JSON changes it. One thread.
 */
final class EventCodec {

    /** The shortest event: without filler. */
    static final int MIN_BYTES = 44;

    private static final byte[] BEGIN = "\"http ".getBytes(StandardCharsets.US_ASCII);
    private static final int RUN = 6;
    private static final int CLIENT = 15;
    private static final int REQUEST = 20;
    private static final int RECORD = 29;
    private static final int FILLER = 34;
    /** A blank, the checksum and a quotation mark. */
    private static final int END_BYTES = 10;

    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] LETTERS =
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".getBytes(StandardCharsets.US_ASCII);
    /** More than what a codec of Kafka looks back, so that events do not compress each other. */
    private static final int NOISE_BYTES = 1 << 20;

    private static final byte[] NOISE = noise();

    private final CRC32C crc = new CRC32C();

    /** Which record of which request an event is. */
    record Place(int run, int client, int request, int record) {}

    private static byte[] noise() {
        byte[] noise = new byte[NOISE_BYTES];
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < noise.length; i++) {
            noise[i] = LETTERS[random.nextInt(LETTERS.length)];
        }
        return noise;
    }

    /** Writes an event of this length into an array. */
    void write(byte[] bytes, int at, int sizeBytes, Place place) {
        System.arraycopy(BEGIN, 0, bytes, at, BEGIN.length);
        hex(bytes, at + RUN, 8, place.run());
        hex(bytes, at + CLIENT, 4, place.client());
        hex(bytes, at + REQUEST, 8, place.request());
        hex(bytes, at + RECORD, 4, place.record());
        for (int blank : new int[] {CLIENT, REQUEST, RECORD, FILLER}) {
            bytes[at + blank - 1] = ' ';
        }
        int fillerBytes = sizeBytes - FILLER - END_BYTES;
        int from = Math.floorMod(mixed(place), NOISE_BYTES - fillerBytes);
        System.arraycopy(NOISE, from, bytes, at + FILLER, fillerBytes);
        int end = at + sizeBytes - END_BYTES;
        bytes[end] = ' ';
        crc.reset();
        crc.update(bytes, at + 1, end - at);
        hex(bytes, end + 1, 8, (int) crc.getValue());
        bytes[end + 9] = '"';
    }

    private static int mixed(Place place) {
        int hash = (place.client() * 31 + place.request()) * 1_013 + place.record();
        hash *= 0x9E3779B9;
        return hash ^ (hash >>> 15);
    }

    /**
     * The place of an event.
     *
     * @return null if a byte is not as it was sent
     */
    Place read(byte[] bytes) {
        if (bytes == null || bytes.length < MIN_BYTES || bytes[0] != '"') {
            return null;
        }
        int end = bytes.length - END_BYTES;
        crc.reset();
        crc.update(bytes, 1, end);
        if (bytes[bytes.length - 1] != '"' || (int) crc.getValue() != number(bytes, end + 1, 8)) {
            return null;
        }
        return new Place(
                number(bytes, RUN, 8), number(bytes, CLIENT, 4), number(bytes, REQUEST, 8), number(bytes, RECORD, 4));
    }

    /** Writes a number as hexadecimal digits. */
    static void hex(byte[] bytes, int at, int digits, int value) {
        int left = value;
        for (int i = digits - 1; i >= 0; i--) {
            bytes[at + i] = HEX[left & 15];
            left >>>= 4;
        }
    }

    private static int number(byte[] bytes, int at, int digits) {
        int value = 0;
        for (int i = 0; i < digits; i++) {
            int digit = Character.digit(bytes[at + i], 16);
            if (digit < 0) {
                return -1;
            }
            value = (value << 4) | digit;
        }
        return value;
    }
}
