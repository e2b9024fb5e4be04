package io.microbatch.testbed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FaultProxyTest {

    private static final int SHORT_MS = 200;
    private static final int PATIENCE_MS = 10_000;

    private static final Duration PATIENCE = Duration.ofMillis(PATIENCE_MS);

    private ServerSocket server;
    private FaultProxy proxy;
    private Socket client;
    private Socket accepted;

    @BeforeEach
    void connect() throws IOException {
        server = new ServerSocket(0);
        proxy = FaultProxy.listen();
        proxy.forwardTo(server.getLocalPort());
        client = new Socket(Ports.HOST, proxy.port());
        accepted = server.accept();
        client.setSoTimeout(PATIENCE_MS);
        accepted.setSoTimeout(PATIENCE_MS);
        // The server accepts the connection before the proxy has registered it.
        Await.until("the connection", PATIENCE, () -> proxy.connectionCount() == 1, () -> "not known yet");
    }

    @AfterEach
    void close() throws IOException {
        client.close();
        accepted.close();
        proxy.close();
        server.close();
    }

    @Test
    void passesBytesOnInBothDirections() throws IOException {
        client.getOutputStream().write(1);
        assertThat(accepted.getInputStream().read()).isEqualTo(1);
        accepted.getOutputStream().write(2);
        assertThat(client.getInputStream().read()).isEqualTo(2);
    }

    @Test
    void deliversTheBytesAfterABlackHoleEnds() throws IOException {
        proxy.mode(FaultProxy.Mode.BLACK_HOLE);
        client.getOutputStream().write(1);
        accepted.setSoTimeout(SHORT_MS);
        assertThatThrownBy(() -> accepted.getInputStream().read()).isInstanceOf(SocketTimeoutException.class);

        proxy.mode(FaultProxy.Mode.PASS);
        accepted.setSoTimeout(PATIENCE_MS);
        assertThat(accepted.getInputStream().read()).isEqualTo(1);
    }

    @Test
    void passesRequestsWhileItHoldsResponses() throws IOException {
        proxy.mode(FaultProxy.Mode.KEEP_ANSWERS);
        client.getOutputStream().write(1);
        assertThat(accepted.getInputStream().read()).isEqualTo(1);
        accepted.getOutputStream().write(2);
        client.setSoTimeout(SHORT_MS);
        assertThatThrownBy(() -> client.getInputStream().read()).isInstanceOf(SocketTimeoutException.class);

        proxy.cut();
        assertThat(client.getInputStream().read()).isEqualTo(-1);
    }

    @Test
    void closesOneDirectionAndKeepsTheOther() throws IOException {
        proxy.halfClose();
        assertThat(client.getInputStream().read()).isEqualTo(-1);
        client.getOutputStream().write(1);
        assertThat(accepted.getInputStream().read()).isEqualTo(1);
    }

    @Test
    void resetsConnectionsAndAcceptsNewOnes() throws IOException {
        proxy.reset();
        assertThatThrownBy(() -> client.getInputStream().read())
                .isInstanceOf(IOException.class)
                .isNotInstanceOf(SocketTimeoutException.class);
        client.close();
        client = new Socket(Ports.HOST, proxy.port());
        accepted.close();
        accepted = server.accept();
        client.getOutputStream().write(3);
        assertThat(accepted.getInputStream().read()).isEqualTo(3);
    }
}
