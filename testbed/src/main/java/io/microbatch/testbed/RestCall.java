package io.microbatch.testbed;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/** JSON over HTTP to one worker. Repeats a request that the worker refuses only because it is rebalancing. */
final class RestCall {

    static final ObjectMapper JSON = new ObjectMapper();

    private static final Duration REQUEST_LIMIT = Duration.ofSeconds(90);
    private static final Duration SETTLE_LIMIT = Duration.ofSeconds(30);

    private final HttpClient http;
    private final URI base;
    private final String authorization;

    RestCall(URI base) {
        this(base, HttpClient.newBuilder(), null);
    }

    /**
     * Prepares requests of a client with settings of its own.
     *
     * @param authorization the header of this name; null for none
     */
    RestCall(URI base, HttpClient.Builder client, String authorization) {
        this.base = base;
        this.http = client.version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(Duration.ofSeconds(5))
                .build();
        this.authorization = authorization;
    }

    URI base() {
        return base;
    }

    JsonNode get(String path) {
        return call("GET", path, null);
    }

    JsonNode call(String method, String path, Object body) {
        JsonNode[] answer = new JsonNode[1];
        ConnectRestException[] refused = new ConnectRestException[1];
        boolean accepted = Await.reached(SETTLE_LIMIT, () -> {
            try {
                answer[0] = once(method, path, body);
                return true;
            } catch (ConnectRestException e) {
                if (!e.isMomentary()) {
                    throw e;
                }
                refused[0] = e;
                return false;
            }
        });
        if (!accepted) {
            throw refused[0];
        }
        return answer[0];
    }

    private JsonNode once(String method, String path, Object body) {
        HttpRequest.Builder request = HttpRequest.newBuilder(base.resolve(path))
                .timeout(REQUEST_LIMIT)
                .header("Content-Type", "application/json")
                .method(method, publisher(body));
        if (authorization != null) {
            request = request.header("Authorization", authorization);
        }
        HttpResponse<String> response = http.sendAsync(request.build(), HttpResponse.BodyHandlers.ofString())
                .join();
        JsonNode json = parsed(response.body());
        if (response.statusCode() >= 400) {
            throw new ConnectRestException(method + " " + path, response.statusCode(), json);
        }
        return json;
    }

    private static HttpRequest.BodyPublisher publisher(Object body) {
        if (body == null) {
            return HttpRequest.BodyPublishers.noBody();
        }
        try {
            return HttpRequest.BodyPublishers.ofString(JSON.writeValueAsString(body));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(e);
        }
    }

    private static JsonNode parsed(String text) {
        if (text.isEmpty()) {
            return MissingNode.getInstance();
        }
        try {
            return JSON.readTree(text);
        } catch (JsonProcessingException e) {
            return JSON.getNodeFactory().textNode(text);
        }
    }
}
