package io.microbatch.connect.upstream.http;

import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Writes answers as responses of HTTP/1.1. Stateless; any thread. */
final class Responses {

    private static final DateTimeFormatter DATE = DateTimeFormatter.ofPattern(
                    "EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    private static volatile Dated dated = new Dated(0, "");

    private record Dated(long epochSec, String text) {}

    private Responses() {}

    /** Tells a client to send the body. */
    static FullHttpResponse proceed() {
        return new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.CONTINUE, Unpooled.EMPTY_BUFFER);
    }

    /**
     * The response of an answer.
     *
     * @param closes whether the connection ends with it
     * @param headOnly whether the client asked for the head only
     */
    static FullHttpResponse of(Answer answer, boolean closes, boolean headOnly) {
        FullHttpResponse response = new DefaultFullHttpResponse(
                HttpVersion.HTTP_1_1,
                HttpResponseStatus.valueOf(answer.status()),
                headOnly ? Unpooled.EMPTY_BUFFER : Unpooled.wrappedBuffer(answer.body()));
        HttpHeaders fields = response.headers()
                .set(HttpHeaderNames.CONTENT_TYPE, answer.mediaType())
                .setInt(HttpHeaderNames.CONTENT_LENGTH, answer.body().length)
                .set(HttpHeaderNames.DATE, date())
                .set(HttpHeaderNames.CONNECTION, closes ? HttpHeaderValues.CLOSE : HttpHeaderValues.KEEP_ALIVE);
        answer.fields().forEach(field -> fields.set(field.name(), field.value()));
        return response;
    }

    private static String date() {
        long epochSec = System.currentTimeMillis() / 1_000;
        Dated last = dated;
        if (last.epochSec() != epochSec) {
            last = new Dated(epochSec, DATE.format(Instant.ofEpochSecond(epochSec)));
            dated = last;
        }
        return last.text();
    }
}
