package io.microbatch.connect.upstream.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpRequestDecoder;
import java.util.List;

/** Decodes requests, and refuses what two programs could read in two ways. One connection; its event loop. */
final class StrictDecoder extends HttpRequestDecoder {

    /** The longest request line, in bytes. */
    static final int MAX_LINE_BYTES = 4_096;

    private static final int MAX_CHUNK_BYTES = 65_536;

    private boolean hasPart;

    /** Refuses heads whose fields have more bytes than this together. */
    StrictDecoder(int maxHeaderBytes) {
        super(new HttpDecoderConfig()
                .setMaxInitialLineLength(MAX_LINE_BYTES)
                .setMaxHeaderSize(maxHeaderBytes)
                .setMaxChunkSize(MAX_CHUNK_BYTES)
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
}
