package io.microbatch.connect.calibration;

import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/**
 * A row's CRC over its table, key and values. It finds what SQLite cannot: a bit that flipped inside a value, and a row
 * that a damaged index hands out under another key. Pure; any thread. Its definition is part of the file format.
 */
final class RowChecksum {
    private static final char SEPARATOR = '\u001f';

    private RowChecksum() {}

    /** 32 bits, unsigned; the values are Long or Double. */
    static long of(String table, CalibrationKey key, Object... values) {
        StringBuilder text = new StringBuilder(256);
        text.append(table).append(SEPARATOR).append(key.connector()).append(SEPARATOR);
        text.append(key.task()).append(SEPARATOR).append(key.deliveryMode()).append(SEPARATOR);
        text.append(key.host()).append(SEPARATOR).append(key.upstream()).append(SEPARATOR);
        text.append(key.version());
        for (Object value : values) {
            text.append(SEPARATOR).append(value instanceof Double real ? bits(real) : (long) value);
        }
        CRC32C crc = new CRC32C();
        crc.update(text.toString().getBytes(StandardCharsets.UTF_8));
        return crc.getValue();
    }

    /** The bits, because the decimal text of a double differs between Java versions. */
    private static long bits(double real) {
        // SQLite keeps a whole REAL as an integer and so forgets the sign of zero: adding zero forgets it as well.
        return Double.doubleToLongBits(real + 0.0);
    }
}
