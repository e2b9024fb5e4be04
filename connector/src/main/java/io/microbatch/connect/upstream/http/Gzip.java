package io.microbatch.connect.upstream.http;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.GZIPInputStream;

/** Bodies with {@code Content-Encoding: gzip}. Stateless; any thread. */
final class Gzip {

    private Gzip() {}

    /**
     * The content of a compressed body. Reads no further than the limit, however much there would be.
     *
     * @throws Refusal 413 if it is larger than the limit, 400 if the body is not complete or not gzip
     */
    static byte[] content(byte[] body, int offset, int length, int maxBytes) throws Refusal {
        try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(body, offset, length))) {
            byte[] content = in.readNBytes(maxBytes);
            if (content.length == maxBytes && in.read() >= 0) {
                throw Refusal.tooLarge("The body is larger than " + maxBytes + " bytes when it is decompressed.");
            }
            return content;
        } catch (IOException e) {
            throw Refusal.malformed("The body is not complete gzip.");
        }
    }
}
