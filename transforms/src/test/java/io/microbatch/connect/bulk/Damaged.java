package io.microbatch.connect.bulk;

import java.util.zip.CRC32C;

/** Damages records and corrects their checksum, so that later checks are tested too. */
final class Damaged {

    private Damaged() {}

    static byte[] resealed(byte[] record) {
        if (record.length >= BulkFormat.MIN_HEADER_BYTES) {
            int checksum = BulkWriter.checksum(new CRC32C(), record, 0, record.length);
            for (int i = 0; i < Integer.BYTES; i++) {
                record[BulkFormat.CRC_OFFSET + i] = (byte) (checksum >>> (24 - 8 * i));
            }
        }
        return record;
    }

    static byte[] flipped(byte[] record, int bit) {
        byte[] copy = record.clone();
        copy[bit / 8] = (byte) (copy[bit / 8] ^ 1 << bit % 8);
        return copy;
    }
}
