package io.microbatch.connect.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A worker may freeze after the headers of its answer. */
@Timeout(60)
class WholeAnswerTest {

    private static final String HEAD = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n";

    private final HttpClient client = HttpClient.newHttpClient();
    private ServerSocket server;

    @BeforeEach
    void listen() throws IOException {
        server = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
    }

    @AfterEach
    void close() throws IOException {
        server.close();
    }

    private HttpResponse<String> ask(Duration limit) throws IOException, InterruptedException {
        URI address = URI.create("http://127.0.0.1:" + server.getLocalPort() + "/");
        HttpRequest request =
                HttpRequest.newBuilder(address).timeout(Duration.ofSeconds(30)).build();
        return WholeAnswer.of(client, request, BodyHandlers.ofString(), limit);
    }

    /** Answers one request with these bytes, and leaves the connection open. */
    private void answer(String bytes) {
        Thread thread = new Thread(
                () -> {
                    try (Socket socket = server.accept()) {
                        socket.getOutputStream().write(bytes.getBytes(StandardCharsets.US_ASCII));
                        socket.getOutputStream().flush();
                        while (socket.getInputStream().read() >= 0) {
                            continue;
                        }
                    } catch (IOException e) {
                        // The client has gone.
                        return;
                    }
                },
                "half-an-answer");
        thread.setDaemon(true);
        thread.start();
    }

    @Test
    void isReturnedWhenItsBodyIsThere() throws IOException, InterruptedException {
        answer(HEAD + "body");
        assertThat(ask(Duration.ofSeconds(30)).body()).isEqualTo("body");
    }

    @Test
    void isNotWaitedForWhenItsBodyDoesNotCome() {
        answer(HEAD + "b");
        assertThatThrownBy(() -> ask(Duration.ofMillis(300)))
                .isInstanceOf(HttpTimeoutException.class)
                .hasMessageContaining("the whole answer was not there");
    }

    @Test
    void failsAsTheRequestFails() throws IOException {
        server.close();
        assertThatThrownBy(() -> ask(Duration.ofSeconds(30)))
                .isInstanceOf(IOException.class)
                .isNotInstanceOf(HttpTimeoutException.class);
    }
}
