package io.microbatch.connect.upstream.http;

import io.microbatch.connect.config.HttpConfig;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Which headers a client may write to a record. Immutable; any thread. */
final class HeaderNames {

    /** The most headers that a client may give one record. */
    static final int MAX_COUNT = 256;

    private final List<String> copied;

    /** Takes the names, in lower case, of the request headers that become record headers. */
    HeaderNames(List<String> copied) {
        this.copied = copied;
    }

    /** The listed headers of a request, with their bytes as sent. */
    List<HttpHeader> copiedFrom(RequestHeaders headers) {
        List<HttpHeader> found = new ArrayList<>(copied.size());
        for (String name : copied) {
            String value = headers.get(name);
            if (value != null) {
                found.add(new HttpHeader(name, value.getBytes(StandardCharsets.ISO_8859_1)));
            }
        }
        return found;
    }

    /** The record's own headers, followed by those of the request that it does not have. */
    static List<HttpHeader> merged(List<HttpHeader> own, List<HttpHeader> request) {
        if (own.isEmpty()) {
            return request;
        }
        List<HttpHeader> all = new ArrayList<>(own);
        for (HttpHeader header : request) {
            if (own.stream().noneMatch(each -> each.name().equals(header.name()))) {
                all.add(header);
            }
        }
        return all;
    }

    /**
     * Checks the name of a header that a client gives a record.
     *
     * @throws Refusal 422 if the name is reserved, empty or not expressible in UTF-8
     */
    static void check(String name) throws Refusal {
        if (name.isEmpty()) {
            throw Refusal.invalid("A header has no name.");
        }
        if (HttpConfig.isReserved(name.toLowerCase(Locale.ROOT))) {
            throw Refusal.invalid("Names of headers that begin with __connect. or microbatch. are reserved.");
        }
        byte[] ignored = Utf8.bytes(name);
    }
}
