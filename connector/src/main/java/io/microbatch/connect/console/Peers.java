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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import javax.net.ssl.SSLContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the REST interfaces of workers, all at the same time. A worker that does not answer costs two seconds, and is
 * then left out for a while. The wait for an answer takes no thread. Any thread.
 */
final class Peers implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Peers.class);

    /** The most workers that are asked for one answer. */
    static final int MAX_PEERS = 64;

    /** The longest answer of a worker, in bytes. */
    static final int MAX_BYTES = 8 << 20;

    private static final int THREADS = 4;
    /** The most requests that are under way for all callers together. */
    private static final int MAX_REQUESTS = 2 * MAX_PEERS;

    private static final Duration CONNECT_LIMIT = Duration.ofSeconds(1);
    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(2);

    private final String scheme;
    private final long answerLimitNanos;
    private final HttpClient client;
    private final ThreadPoolExecutor threads = Threads.pool("client", THREADS, 4 * MAX_REQUESTS);
    private final Semaphore requests = new Semaphore(MAX_REQUESTS);
    private final SilentWorkers silent;

    /**
     * What a worker has answered.
     *
     * @param worker its address
     * @param state {@code ok}, or why there is no answer
     * @param body the answer; null if there is none
     */
    record Answer(String worker, String state, Object body) {

        private static final String SILENT = "no answer";
        private static final String WITHHELD =
                "not asked: it advertises http, and the header Authorization came by https";

        static Answer silent(String worker) {
            return new Answer(worker, SILENT, null);
        }

        static Answer withheld(String worker) {
            return new Answer(worker, WITHHELD, null);
        }

        /** Whether the worker was not asked, so that the caller's header stays secret. */
        boolean isWithheld() {
            return state.equals(WITHHELD);
        }

        /** Whether the worker said nothing in time, now or when it was asked last. */
        boolean isSilent() {
            return state.equals(SILENT);
        }
    }

    /**
     * A worker that was asked, or was not.
     *
     * @param known the answer if it is known without asking; otherwise null
     */
    private record Pending(String worker, Answer known, CompletableFuture<HttpResponse<byte[]>> response) {

        static Pending not(Answer known) {
            return new Pending(known.worker(), known, new CompletableFuture<>());
        }
    }

    /**
     * Prepares the client.
     *
     * @param scheme {@code http} or {@code https}, as the workers advertise it
     * @param tls what the worker trusts; null for the JVM's own
     * @param nanoClock says for how long a worker has been silent
     */
    Peers(String scheme, SSLContext tls, LongSupplier nanoClock) {
        this(scheme, tls, nanoClock, ANSWER_LIMIT);
    }

    /** The same with another limit for an answer than two seconds. */
    Peers(String scheme, SSLContext tls, LongSupplier nanoClock, Duration answerLimit) {
        this.scheme = scheme;
        this.answerLimitNanos = answerLimit.toNanos();
        this.silent = new SilentWorkers(nanoClock);
        HttpClient.Builder builder = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                // The worker's JVM may have one for its connectors. It would see the caller's credentials.
                .proxy(HttpClient.Builder.NO_PROXY)
                .connectTimeout(CONNECT_LIMIT)
                .executor(threads);
        this.client = (tls == null ? builder : builder.sslContext(tls)).build();
    }

    /**
     * Asks all these workers, the first 64 of them.
     *
     * @param caller who asks. The workers check the header as if the caller had asked them. Where it would be exposed,
     *     they are not asked
     * @return an answer for each of them, in their order, after two seconds at most
     */
    List<Answer> ask(Collection<String> workers, String path, Caller caller) throws InterruptedException {
        List<Pending> asked = new ArrayList<>();
        List<Answer> answers = new ArrayList<>();
        try {
            workers.stream().limit(MAX_PEERS).forEach(worker -> asked.add(send(worker, path, caller)));
            long deadlineNanos = System.nanoTime() + answerLimitNanos;
            for (Pending each : asked) {
                answers.add(each.known() != null ? each.known() : await(each, deadlineNanos));
            }
        } finally {
            // Also ends the exchanges of a caller that is interrupted.
            for (Pending each : asked) {
                boolean ignored = each.response().cancel(true);
            }
        }
        return answers;
    }

    /** Asks one worker, as if it were one of several. */
    Answer ask(String worker, String path, Caller caller) throws InterruptedException {
        return ask(List.of(worker), path, caller).get(0);
    }

    /** Sends a request without waiting for the answer. */
    private Pending send(String worker, String path, Caller caller) {
        if (caller.isExposedBy(scheme)) {
            return Pending.not(Answer.withheld(worker));
        }
        if (silent.isPaused(worker)) {
            return Pending.not(Answer.silent(worker));
        }
        if (!requests.tryAcquire()) {
            return Pending.not(new Answer(worker, "not asked: the console is busy", null));
        }
        CompletableFuture<HttpResponse<byte[]>> response;
        try {
            HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(scheme + "://" + worker + path))
                    .header("Accept", "application/json");
            if (caller.authorization() != null) {
                request.header("Authorization", caller.authorization());
            }
            response = client.sendAsync(request.build(), info -> new LimitedBody(MAX_BYTES));
        } catch (IllegalArgumentException | RejectedExecutionException e) {
            response = CompletableFuture.failedFuture(e);
        }
        CompletableFuture<HttpResponse<byte[]>> ignored = response.whenComplete((done, failure) -> requests.release());
        return new Pending(worker, null, response);
    }

    /** Waits for the whole answer: the client's own limit of a request ends with the head of it. */
    private Answer await(Pending asked, long deadlineNanos) throws InterruptedException {
        String worker = asked.worker();
        try {
            long leftNanos = Math.max(0, deadlineNanos - System.nanoTime());
            Answer answer = answer(worker, asked.response().get(leftNanos, TimeUnit.NANOSECONDS));
            silent.answered(worker);
            return answer;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof LimitedBody.TooLargeException) {
                silent.answered(worker);
                return new Answer(worker, "answer too large", null);
            }
            log.debug("Worker {} does not answer", worker, e);
        } catch (TimeoutException | IOException e) {
            log.debug("Worker {} does not answer in time, or not with JSON", worker, e);
        }
        silent.silent(worker);
        return Answer.silent(worker);
    }

    private static Answer answer(String worker, HttpResponse<byte[]> response) throws IOException {
        return switch (response.statusCode()) {
            case 200 -> new Answer(worker, "ok", Json.read(response.body()));
            case 401, 403 -> new Answer(worker, "refused: status " + response.statusCode(), null);
            case 404 -> new Answer(worker, "has no console", null);
            default -> new Answer(worker, "status " + response.statusCode(), null);
        };
    }

    @Override
    public void close() {
        threads.shutdown();
    }
}
