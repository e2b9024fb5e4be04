package io.microbatch.connect.upstream.http;

import com.fasterxml.jackson.core.JsonToken;
import java.util.List;

/**
 * Bodies of one JSON value per line (NDJSON). The event's value is the line as it was sent, without the spaces around
 * it. Empty lines are skipped. Stateless; any thread.
 */
final class LinesBody {

    private LinesBody() {}

    /** Adds an event for each line. */
    static void read(Json json, byte[] key, List<HttpHeader> headers, Events events) throws Refusal {
        int end = 0;
        for (JsonToken token = json.next(); token != null; token = json.next()) {
            int start = json.start();
            if (events.count() > 0 && !json.hasLineEnd(end, start)) {
                throw Refusal.malformed("The line of record " + events.count() + " is the one of the record before it: "
                        + "end each JSON value with a line feed.");
            }
            byte[] line = json.raw();
            end = start + line.length;
            if (token.isStructStart() && json.hasLineEnd(start, end)) {
                throw Refusal.malformed("Record " + events.count() + " has more than one line.");
            }
            events.add(new HttpEvent(key, line, null, null, headers));
        }
    }
}
