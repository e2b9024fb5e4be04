package io.microbatch.bench.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ResponseReaderTest {

    private static final String WRITTEN = "{\"offsets\":[{\"offset\":1,\"error_code\":null},{\"error_code\":null}]}";
    private static final String IN_PART = "{\"offsets\":[{\"error_code\":null},{\"error_code\": 42210}]}";

    private final ResponseReader reader = new ResponseReader();

    @Test
    void readsResponsesThatComeByteByByteOneAfterTheOther() {
        assertThat(feed(withLength("200 OK", WRITTEN))).isTrue();
        assertThat(reader.status()).isEqualTo(200);
        assertThat(reader.body()).isEqualTo(WRITTEN);
        assertThat(reader.hasError()).isFalse();
        reader.next();
        assertThat(feed(withLength("503 Service Unavailable", ""))).isTrue();
        assertThat(reader.status()).isEqualTo(503);
        assertThat(reader.body()).isEmpty();
    }

    @Test
    void readsChunkedBodies() {
        String half = WRITTEN.substring(0, 20);
        String chunks = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "14\r\n" + half + "\r\n"
                + Integer.toHexString(WRITTEN.length() - 20) + ";name=value\r\n" + WRITTEN.substring(20) + "\r\n"
                + "0\r\n\r\n";

        assertThat(feed(chunks)).isTrue();
        assertThat(reader.status()).isEqualTo(200);
        assertThat(reader.hasError()).isFalse();
        reader.next();
        assertThat(feed(withLength("200 OK", IN_PART))).isTrue();
        assertThat(reader.hasError()).isTrue();
    }

    @Test
    void seesThatTheConnectionEnds() {
        assertThat(feed("HTTP/1.1 503 x\r\nconnection: Close\r\nContent-Length: 0\r\n\r\n"))
                .isTrue();
        assertThat(reader.closes()).isTrue();
        reader.next();
        assertThat(feed(withLength("200 OK", ""))).isTrue();
        assertThat(reader.closes()).isFalse();
    }

    @Test
    void growsForLargeBodies() {
        String body = "x".repeat(100_000);

        assertThat(feed(withLength("200 OK", body))).isTrue();
        assertThat(reader.body()).isEqualTo(body);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SSH-2.0\r\n\r\n",
                "HTTP/1.1\r\n\r\n",
                "HTTP/1.1 abc x\r\n\r\n",
                "HTTP/1.1 200 x\r\nContent-Length: -1\r\n\r\n",
                "HTTP/1.1 200 x\r\nContent-Length: 99999999999\r\n\r\n",
                "HTTP/1.1 200 x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"
            })
    void refusesWhatIsNoResponse(String bytes) {
        assertThatThrownBy(() -> feed(bytes)).isInstanceOf(ResponseReader.MalformedException.class);
    }

    private static String withLength(String status, String body) {
        return "HTTP/1.1 " + status + "\r\nContent-Length: " + body.length() + "\r\n\r\n" + body;
    }

    /** Whether the last byte, and none before it, made the response complete. */
    private boolean feed(String response) {
        byte[] bytes = response.getBytes(StandardCharsets.US_ASCII);
        for (int at = 0; at < bytes.length; at++) {
            boolean complete = reader.take(ByteBuffer.wrap(bytes, at, 1));
            if (complete) {
                return at == bytes.length - 1;
            }
        }
        return false;
    }
}
