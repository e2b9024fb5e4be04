package io.microbatch.connect.console;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;

/** Takes the body of a response up to a limit. The threads of the client. */
public final class LimitedBody implements BodySubscriber<byte[]> {

    /** A body was longer than its limit, and nothing of it is kept. */
    public static final class TooLargeException extends IOException {

        private static final long serialVersionUID = 1;

        TooLargeException(int maxBytes) {
            super("the answer is larger than " + maxBytes + " bytes");
        }
    }

    private final int maxBytes;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final CompletableFuture<byte[]> body = new CompletableFuture<>();
    private Flow.Subscription subscription;

    /**
     * Takes a body.
     *
     * @param maxBytes the longest body; a longer one is a {@link TooLargeException}
     */
    public LimitedBody(int maxBytes) {
        this.maxBytes = maxBytes;
    }

    @Override
    public CompletionStage<byte[]> getBody() {
        return body;
    }

    @Override
    public void onSubscribe(Flow.Subscription given) {
        subscription = given;
        subscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
        for (ByteBuffer buffer : buffers) {
            if (bytes.size() + buffer.remaining() > maxBytes) {
                subscription.cancel();
                boolean ignored = body.completeExceptionally(new TooLargeException(maxBytes));
                return;
            }
            byte[] part = new byte[buffer.remaining()];
            buffer.get(part);
            bytes.writeBytes(part);
        }
    }

    @Override
    public void onError(Throwable failure) {
        boolean ignored = body.completeExceptionally(failure);
    }

    @Override
    public void onComplete() {
        boolean ignored = body.complete(bytes.toByteArray());
    }
}
