package io.microbatch.connect.console;

import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * Prints the console's advice for a cluster. It needs the archive only: {@code java -cp 'lib/*'
 * io.microbatch.connect.console.AdviseCommand http://worker:8083 100}. One call; the caller's thread.
 */
public final class AdviseCommand {

    /** Not taken from the class, whose interface is the worker's and not in the archive. */
    private static final String EXTENSION = "io.microbatch.connect.console.ConsoleExtension";

    private static final int NOT_FOUND = 404;
    private static final int OK = 200;
    private static final int MAX_BYTES = 64 << 20;
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private AdviseCommand() {}

    /**
     * Runs as a program: exits with 0 when the advice was printed, 1 when there is none, 2 for wrong arguments.
     *
     * @param arguments the REST interface of any worker, and the p99 in milliseconds that is accepted, if not 100
     */
    public static void main(String[] arguments) throws InterruptedException {
        URI rest;
        double goalMs;
        try {
            rest = RestAddress.of(arguments[0]);
            goalMs = arguments.length > 1 ? Double.parseDouble(arguments[1]) : Advisor.GOAL_MS_DEFAULT;
        } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
            System.err.println("usage: AdviseCommand <URL of a worker's REST interface> [p99 in ms]");
            System.exit(2);
            return;
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage());
            System.exit(2);
            return;
        }
        System.exit(run(rest, goalMs, System.out) ? 0 : 1);
    }

    /**
     * Asks a worker and prints its answer.
     *
     * @param rest the REST interface of any worker of the cluster
     * @param goalMs the p99 in milliseconds that is accepted
     * @param out gets the lines
     * @return whether there was an advice
     */
    public static boolean run(URI rest, double goalMs, PrintStream out) throws InterruptedException {
        return run(rest, goalMs, System.getenv(AuthorizationHeader.VARIABLE), out);
    }

    /** The same with the text of the variable of the environment, which may be null. */
    static boolean run(URI rest, double goalMs, String authorization, PrintStream out) throws InterruptedException {
        String base = rest.toString().replaceAll("/+$", "");
        HttpRequest.Builder request;
        try {
            RestAddress.check(rest);
            request = HttpRequest.newBuilder(URI.create(base + "/microbatch/v1/advice?p99=" + goalMs))
                    .timeout(LIMIT);
            AuthorizationHeader.of(authorization).addTo(request);
        } catch (IllegalArgumentException e) {
            out.println(e.getMessage());
            return false;
        }
        try {
            HttpResponse<byte[]> response = WholeAnswer.of(
                    RequestFailure.clientOf(HttpClient.newBuilder()),
                    request.build(),
                    info -> new LimitedBody(MAX_BYTES),
                    LIMIT);
            if (response.statusCode() == OK) {
                AdviceText.lines(Json.read(response.body())).forEach(line -> out.println(PlainText.of(line)));
                return true;
            }
            out.println(
                    response.statusCode() == NOT_FOUND
                            ? "This worker has no console. Set rest.extension.classes=" + EXTENSION
                                    + " in its properties, and restart it."
                            : "The worker answers with status " + response.statusCode() + ": "
                                    + PlainText.of(new String(response.body(), StandardCharsets.UTF_8)));
        } catch (IOException e) {
            out.println("The worker at " + rest + " does not answer: " + RequestFailure.reason(e));
        }
        return false;
    }
}
