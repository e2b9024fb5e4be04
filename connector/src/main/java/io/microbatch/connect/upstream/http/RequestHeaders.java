package io.microbatch.connect.upstream.http;

import java.util.function.BiConsumer;

/**
 * The headers of a request. Names are in lower case. Values are the bytes as sent, one character per byte (ISO 8859-1),
 * without the spaces around them. The thread that parses the request.
 */
interface RequestHeaders {

    /** The first value of a header, or null. */
    String get(String lowerCaseName);

    /** Passes each header, in the order as sent, with its name in lower case. */
    void forEach(BiConsumer<String, String> header);
}
