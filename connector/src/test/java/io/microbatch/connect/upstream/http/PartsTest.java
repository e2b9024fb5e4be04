package io.microbatch.connect.upstream.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpObject;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PartsTest {

    private final List<HttpObject> taken = new ArrayList<>();
    private boolean isWanted;
    private final Parts parts = new Parts(() -> isWanted, taken::add);

    @Test
    void areTakenInOrderWhenTheyAreWanted() {
        List<HttpContent> sent = contents(Parts.MAX_WAITING);
        assertThat(sent).allMatch(parts::add);
        assertThat(taken).isEmpty();

        isWanted = true;
        parts.pass();
        assertThat(taken).containsExactlyElementsOf(sent);
        assertThat(parts.isEmpty()).isTrue();
        assertThat(sent).allMatch(part -> part.refCnt() == 0);
    }

    /** A client may send thousands of short requests in one read. */
    @Test
    void areForgottenWhereTooManyWait() {
        List<HttpContent> sent = contents(Parts.MAX_WAITING + 1_000);
        assertThat(sent.stream().filter(parts::add)).hasSize(Parts.MAX_WAITING);

        assertThat(sent.stream().filter(part -> part.refCnt() > 0)).hasSize(Parts.MAX_WAITING);
        parts.release();
        assertThat(sent).allMatch(part -> part.refCnt() == 0);
    }

    /** As many as a client likes may come one after the other. */
    @Test
    void areNotForgottenWhileTheyAreWanted() {
        isWanted = true;
        assertThat(contents(Parts.MAX_WAITING + 1_000)).allMatch(parts::add);
        assertThat(taken).hasSize(Parts.MAX_WAITING + 1_000);
    }

    private static List<HttpContent> contents(int count) {
        return IntStream.range(0, count)
                .<HttpContent>mapToObj(
                        i -> new DefaultHttpContent(Unpooled.buffer(1).writeByte(i)))
                .toList();
    }
}
