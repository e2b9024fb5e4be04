import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * Sends events to an upstream http and prints what became of each: written, not-written or unknown.
 *
 * <p>{@code TOKEN=secret java Client.java http://127.0.0.1:8090/events/orders 60 < events}. A line of the input is an
 * Idempotency-Key, a space and the event. The key belongs to the event: it is the same after a restart of this program.
 * An event is tried again for as many seconds as the second argument says.
 */
public final class Client {

    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(5);
    private static final Pattern TASK_HAS_NOT_WRITTEN = Pattern.compile("\"error_code\"\\s*:\\s*503\\d\\d\\b");

    public static void main(String[] arguments) throws IOException, InterruptedException {
        HttpClient http = HttpClient.newBuilder().version(Version.HTTP_1_1).connectTimeout(ANSWER_WITHIN).build();
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(arguments[0]))
                .timeout(ANSWER_WITHIN.plusSeconds(1)) // later than the task's own answer, which says more
                .header("X-Request-Timeout-Ms", Long.toString(ANSWER_WITHIN.toMillis()))
                .header("Content-Type", "application/json");
        if (System.getenv("TOKEN") != null) {
            request.header("Authorization", "Bearer " + System.getenv("TOKEN"));
        }
        Duration patience = Duration.ofSeconds(Long.parseLong(arguments[1]));
        var events = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = events.readLine(); line != null; line = events.readLine()) {
            String[] event = line.split(" ", 2);
            request.setHeader("Idempotency-Key", event[0]).POST(BodyPublishers.ofString(event[1]));
            System.out.println(event[0] + " " + send(http, request.build(), patience));
        }
    }

    private static String send(HttpClient http, HttpRequest request, Duration patience) throws InterruptedException {
        long endNanos = System.nanoTime() + patience.toNanos();
        boolean unknown = false; // an attempt may have been written, whatever the later ones say
        for (long pauseMs = 100; ; pauseMs = Math.min(2 * pauseMs, 5_000)) {
            String last;
            long waitMs = pauseMs;
            try {
                HttpResponse<String> answer = http.send(request, BodyHandlers.ofString());
                int status = answer.statusCode();
                last = status + " " + answer.body().replaceAll("\\s+", " ");
                if (status == 200) {
                    return "written " + last;
                } else if (status < 500 && status != 409 && status != 429) {
                    return (unknown ? "unknown " : "not-written ") + last;
                }
                // A proxy has 503s of its own, some of them for requests that a task has seen.
                unknown |= status != 429 && !TASK_HAS_NOT_WRITTEN.matcher(answer.body()).find();
                String later = answer.headers().firstValue("Retry-After").orElse("");
                waitMs = later.matches("\\d{1,6}") ? 1_000 * Long.parseLong(later) : pauseMs;
            } catch (ConnectException | HttpConnectTimeoutException e) {
                last = "no connection"; // nothing was sent
            } catch (IOException e) {
                unknown = true;
                last = "no answer";
            }
            if (System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(waitMs) - endNanos > 0) {
                return (unknown ? "unknown " : "not-written ") + last;
            }
            TimeUnit.MILLISECONDS.sleep(waitMs);
        }
    }
}
