package io.microbatch.connect.console;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the REST interfaces of workers. A worker that does not answer costs a short time and nothing else: four are
 * asked at a time, each for two seconds at most, all of them for four. Any thread.
 */
final class Peers implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Peers.class);

    /** The most workers that are asked. */
    static final int MAX_PEERS = 64;

    private static final int AT_A_TIME = 4;
    private static final Duration CONNECT_LIMIT = Duration.ofSeconds(1);
    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(2);
    private static final long ALL_LIMIT_SECONDS = 4;
    private static final int MAX_BYTES = 8 << 20;

    private final String scheme;
    private final HttpClient client;
    private final ThreadPoolExecutor callers = Threads.pool("peers", AT_A_TIME, MAX_PEERS);
    private final ThreadPoolExecutor readers = Threads.pool("client", AT_A_TIME, 4 * MAX_PEERS);

    /**
     * What a worker has answered.
     *
     * @param worker its address
     * @param state {@code ok}, or why there is no answer
     * @param body the answer; null if there is none
     */
    record Answer(String worker, String state, Object body) {

        private static final String SILENT = "no answer";

        static Answer silent(String worker) {
            return new Answer(worker, SILENT, null);
        }

        /** Whether the worker said nothing in time. */
        boolean isSilent() {
            return state.equals(SILENT);
        }
    }

    /**
     * Prepares the client.
     *
     * @param scheme {@code http} or {@code https}, as the workers advertise it
     * @param tls what the worker trusts; null for the JVM's own
     */
    Peers(String scheme, SSLContext tls) {
        this.scheme = scheme;
        HttpClient.Builder builder = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(CONNECT_LIMIT)
                .executor(readers);
        this.client = (tls == null ? builder : builder.sslContext(tls)).build();
    }

    /**
     * Asks all these workers.
     *
     * @param authorization the header of the caller, which the workers check as if the caller had asked them; may be
     *     null
     */
    List<Answer> ask(Collection<String> workers, String path, String authorization) throws InterruptedException {
        List<String> asked = workers.stream().limit(MAX_PEERS).toList();
        List<Callable<Answer>> calls = new ArrayList<>();
        asked.forEach(worker -> calls.add(() -> ask(worker, path, authorization)));
        List<Answer> answers = new ArrayList<>();
        try {
            List<Future<Answer>> futures = callers.invokeAll(calls, ALL_LIMIT_SECONDS, TimeUnit.SECONDS);
            for (int i = 0; i < asked.size(); i++) {
                answers.add(answer(asked.get(i), futures.get(i)));
            }
        } catch (RejectedExecutionException e) {
            asked.forEach(worker -> answers.add(new Answer(worker, "not asked: the console is busy", null)));
        }
        return answers;
    }

    private static Answer answer(String worker, Future<Answer> future) throws InterruptedException {
        try {
            return future.get();
        } catch (CancellationException | ExecutionException e) {
            log.debug("Worker {} could not be asked", worker, e);
            return Answer.silent(worker);
        }
    }

    /** Asks one worker, on the caller's thread. */
    Answer ask(String worker, String path, String authorization) throws InterruptedException {
        try {
            HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(scheme + "://" + worker + path))
                    .header("Accept", "application/json");
            if (authorization != null) {
                request.header("Authorization", authorization);
            }
            HttpResponse<byte[]> response = send(request.build());
            return switch (response.statusCode()) {
                case 200 -> new Answer(worker, "ok", Json.read(response.body()));
                case 401, 403 -> new Answer(worker, "refused: status " + response.statusCode(), null);
                case 404 -> new Answer(worker, "has no console", null);
                default -> new Answer(worker, "status " + response.statusCode(), null);
            };
        } catch (IOException | IllegalArgumentException e) {
            log.debug("Worker {} does not answer", worker, e);
            return Answer.silent(worker);
        }
    }

    /** The request's own limit ends with the head of the answer. This one is for all of it. */
    private HttpResponse<byte[]> send(HttpRequest request) throws IOException, InterruptedException {
        CompletableFuture<HttpResponse<byte[]>> answer = client.sendAsync(request, info -> new LimitedBody(MAX_BYTES));
        try {
            return answer.get(ANSWER_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new IOException("no whole answer", e);
        } finally {
            // Also ends the exchange of a caller that is interrupted.
            boolean ignored = answer.cancel(true);
        }
    }

    @Override
    public void close() {
        List<Runnable> ignored = callers.shutdownNow();
        readers.shutdown();
    }
}
