package io.microbatch.connect.upstream.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * A request whose events every later version must make in the same way. {@code <name>.http} has the request, and its
 * last line feed is not sent. {@code <name>.events} has the events, with a blank line between two.
 */
record GoldenRequest(String name, String target, String[] headers, byte[] body, String events) {

    static List<GoldenRequest> all() {
        return names().stream().map(GoldenRequest::of).toList();
    }

    static List<String> names() {
        return List.of(
                "json-records",
                "binary-records",
                "text-records",
                "lines",
                "plain",
                "cloudevent",
                "cloudevents-batch",
                "cloudevent-binary");
    }

    static GoldenRequest of(String name) {
        String request = file(name + ".http");
        int end = request.indexOf("\n\n");
        String[] head = request.substring(0, end).split("\n", -1);
        return new GoldenRequest(
                name,
                head[0].replace("POST ", ""),
                Arrays.copyOfRange(head, 1, head.length),
                request.substring(end + 2, request.length() - 1).getBytes(StandardCharsets.UTF_8),
                file(name + ".events"));
    }

    private static String file(String name) {
        try (InputStream in = GoldenRequest.class.getResourceAsStream(name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
