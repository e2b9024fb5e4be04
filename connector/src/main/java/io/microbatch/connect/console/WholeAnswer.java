package io.microbatch.connect.console;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Sends a request and waits for the whole answer. {@link HttpRequest.Builder#timeout} ends with the headers of the
 * answer (JDK-8208693), so that a body that does not arrive would be waited for without limit. Stateless; any thread.
 */
public final class WholeAnswer {

    private WholeAnswer() {}

    /**
     * Waits for an answer with its body.
     *
     * @param limit how long all of it may take
     * @throws HttpTimeoutException when it took longer
     * @throws IOException when the request fails
     */
    public static <T> HttpResponse<T> of(HttpClient client, HttpRequest request, BodyHandler<T> body, Duration limit)
            throws IOException, InterruptedException {
        CompletableFuture<HttpResponse<T>> answer = client.sendAsync(request, body);
        try {
            return answer.get(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            HttpTimeoutException late =
                    new HttpTimeoutException("the whole answer was not there after " + limit.toSeconds() + " s");
            late.initCause(e);
            throw late;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException failure) {
                throw failure;
            }
            throw new IOException(e.getCause());
        } finally {
            // Ends the exchange, also that of a caller that is interrupted.
            boolean ignored = answer.cancel(true);
        }
    }
}
