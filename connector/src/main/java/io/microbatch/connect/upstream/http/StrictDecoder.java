package io.microbatch.connect.upstream.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpHeadersFactory;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import java.util.List;

/** Decodes requests, and refuses what two programs could read in two ways. One connection; its event loop. */
final class StrictDecoder extends HttpRequestDecoder {

    /** The longest request line, in bytes. */
    static final int MAX_LINE_BYTES = 4_096;

    /** The most fields of a head. Each takes some 200 bytes, however short it is. */
    static final int MAX_FIELDS = 100;

    private static final int MAX_CHUNK_BYTES = 65_536;

    private boolean hasPart;

    /** Refuses heads whose fields have more bytes than this together, or are more than {@link #MAX_FIELDS}. */
    StrictDecoder(int maxHeaderBytes) {
        super(new HttpDecoderConfig()
                .setMaxInitialLineLength(MAX_LINE_BYTES)
                .setMaxHeaderSize(maxHeaderBytes)
                .setMaxChunkSize(MAX_CHUNK_BYTES)
                .setHeadersFactory(new LimitedFactory(DefaultHttpHeadersFactory.headersFactory()))
                .setTrailersFactory(new LimitedFactory(DefaultHttpHeadersFactory.trailersFactory()))
                .setAllowDuplicateContentLengths(false)
                .setStrictLineParsing(true)
                .setUseRfc9112TransferEncoding(true));
    }

    @Override
    protected void decode(ChannelHandlerContext from, ByteBuf bytes, List<Object> out) throws Exception {
        boolean gotBytes = bytes.isReadable();
        int before = out.size();
        super.decode(from, bytes, out);
        hasPart = out.size() == before && (gotBytes || hasPart);
    }

    /** Whether a part of a message has arrived, and not yet enough to decode. The bytes of TLS itself do not count. */
    boolean hasPart() {
        return hasPart;
    }

    @Override
    protected void handleTransferEncodingChunkedWithContentLength(HttpMessage message) {
        throw new IllegalArgumentException("Content-Length with Transfer-Encoding");
    }

    /** Makes the fields of a head, or of a trailer, with the checks of Netty's factory. */
    private record LimitedFactory(DefaultHttpHeadersFactory checks) implements HttpHeadersFactory {

        @Override
        public HttpHeaders newHeaders() {
            return new LimitedHeaders(checks);
        }

        @Override
        public HttpHeaders newEmptyHeaders() {
            return new LimitedHeaders(checks);
        }
    }

    /** The fields of a head. Throws TooLongHttpHeaderException if the decoder adds too many. */
    private static final class LimitedHeaders extends DefaultHttpHeaders {

        LimitedHeaders(DefaultHttpHeadersFactory checks) {
            super(checks.getNameValidator(), checks.getValueValidator());
        }

        @Override
        public HttpHeaders add(CharSequence name, Object value) {
            if (size() == MAX_FIELDS) {
                throw new TooLongHttpHeaderException("more than " + MAX_FIELDS + " fields");
            }
            return super.add(name, value);
        }
    }
}
