package io.microbatch.connect.calibration;

import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/**
 * A row's CRC over its table, key and values. It finds what SQLite cannot: a bit that flipped inside a value, and a row
 * that a damaged index hands out under another key. Pure; any thread.
 */
final class RowChecksum {
    private RowChecksum() {}

    /** 32 bits, unsigned. */
    static long of(String table, CalibrationKey key, Object... values) {
        StringBuilder text = new StringBuilder(256).append(table).append(key);
        for (Object value : values) {
            // SQLite keeps a whole REAL as an integer and so forgets the sign of zero: adding zero forgets it as well.
            text.append('|').append(value instanceof Double real ? Double.valueOf(real + 0.0) : value);
        }
        CRC32C crc = new CRC32C();
        crc.update(text.toString().getBytes(StandardCharsets.UTF_8));
        return crc.getValue();
    }
}
