package io.microbatch.connect.upstream.http;

import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpRequestDecoder;

/** Decodes requests, and refuses what two programs could read in two ways. One connection; its event loop. */
final class StrictDecoder extends HttpRequestDecoder {

    /** The longest request line, in bytes. */
    static final int MAX_LINE_BYTES = 4_096;

    private static final int MAX_CHUNK_BYTES = 65_536;

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
    protected void handleTransferEncodingChunkedWithContentLength(HttpMessage message) {
        throw new IllegalArgumentException("Content-Length with Transfer-Encoding");
    }
}
