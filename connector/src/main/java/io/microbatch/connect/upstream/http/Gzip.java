package io.microbatch.connect.upstream.http;

import java.io.ByteArrayOutputStream;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * Reads bodies with {@code Content-Encoding: gzip}: one or more members (RFC 1952) and nothing else. The JDK's
 * GZIPInputStream takes a damaged second member, and anything else behind the first, for the end. One body; one thread.
 */
final class Gzip {

    private static final int MAGIC = 0x8b1f;
    private static final int DEFLATE = 8;
    private static final int FLAG_HEADER_CRC = 2;
    private static final int FLAG_EXTRA = 4;
    private static final int FLAG_NAME = 8;
    private static final int FLAG_COMMENT = 16;
    private static final int FLAGS_RESERVED = 0xe0;

    /** Time, level and system, which nobody needs. */
    private static final int UNUSED_BYTES = 6;

    private static final int BUFFER_BYTES = 8_192;

    private final byte[] body;
    private final int end;
    private final int maxBytes;
    private final byte[] buffer = new byte[BUFFER_BYTES];
    private final ByteArrayOutputStream content = new ByteArrayOutputStream(BUFFER_BYTES);
    private int place;

    private Gzip(byte[] body, int offset, int length, int maxBytes) {
        this.body = body;
        this.place = offset;
        this.end = offset + length;
        this.maxBytes = maxBytes;
    }

    /**
     * The content of a compressed body. Reads no further than the limit, however much there would be.
     *
     * @throws Refusal 413 if it is larger than the limit, 400 if the body is not complete or not only gzip
     */
    static byte[] content(byte[] body, int offset, int length, int maxBytes) throws Refusal {
        Gzip gzip = new Gzip(body, offset, length, maxBytes);
        Inflater inflater = new Inflater(true);
        try {
            do {
                gzip.readHeader();
                gzip.readContent(inflater);
                inflater.reset();
            } while (gzip.place < gzip.end);
            return gzip.content.toByteArray();
        } finally {
            inflater.end();
        }
    }

    private void readHeader() throws Refusal {
        int start = place;
        int magic = twoBytes();
        int method = oneByte();
        int flags = oneByte();
        if (magic != MAGIC || method != DEFLATE || (flags & FLAGS_RESERVED) != 0) {
            throw malformed();
        }
        skip(UNUSED_BYTES);
        if ((flags & FLAG_EXTRA) != 0) {
            skip(twoBytes());
        }
        if ((flags & FLAG_NAME) != 0) {
            skipText();
        }
        if ((flags & FLAG_COMMENT) != 0) {
            skipText();
        }
        if ((flags & FLAG_HEADER_CRC) != 0) {
            CRC32 crc = new CRC32();
            crc.update(body, start, place - start);
            if (twoBytes() != (crc.getValue() & 0xffff)) {
                throw malformed();
            }
        }
    }

    private void readContent(Inflater inflater) throws Refusal {
        CRC32 crc = new CRC32();
        inflater.setInput(body, place, end - place);
        while (!inflater.finished()) {
            int count = inflate(inflater);
            if (count == 0 && (inflater.needsInput() || inflater.needsDictionary())) {
                throw malformed();
            }
            if (count > maxBytes - content.size()) {
                throw Refusal.tooLarge("The body is larger than " + maxBytes + " bytes when it is decompressed.");
            }
            crc.update(buffer, 0, count);
            content.write(buffer, 0, count);
        }
        place = end - inflater.getRemaining();
        if (fourBytes() != crc.getValue() || fourBytes() != inflater.getBytesWritten()) {
            throw malformed();
        }
    }

    private int inflate(Inflater inflater) throws Refusal {
        try {
            return inflater.inflate(buffer);
        } catch (DataFormatException e) {
            throw malformed();
        }
    }

    private int oneByte() throws Refusal {
        if (place >= end) {
            throw malformed();
        }
        return body[place++] & 0xff;
    }

    private int twoBytes() throws Refusal {
        return oneByte() | oneByte() << 8;
    }

    private long fourBytes() throws Refusal {
        return twoBytes() | (long) twoBytes() << 16;
    }

    private void skip(int bytes) throws Refusal {
        if (bytes > end - place) {
            throw malformed();
        }
        place += bytes;
    }

    /** Passes over a text and the 0 behind it. */
    private void skipText() throws Refusal {
        while (oneByte() != 0) {
            // The text.
        }
    }

    private static Refusal malformed() {
        return Refusal.malformed("The body is not complete gzip, or something else follows it.");
    }
}
