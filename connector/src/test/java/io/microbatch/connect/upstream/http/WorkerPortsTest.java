package io.microbatch.connect.upstream.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.microbatch.testbed.Ports;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.util.Map;
import org.apache.kafka.connect.errors.ConnectException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who may share a port of the worker. */
class WorkerPortsTest {

    /** A failure with this cause is retried for a while, so that a renamed connector waits for its predecessor. */
    private static void assertTaken(InetSocketAddress address, String connector, String holder) {
        assertThatThrownBy(() -> WorkerPorts.take(address, connector))
                .isInstanceOf(ConnectException.class)
                .hasMessageContaining(holder)
                .hasCauseInstanceOf(BindException.class);
    }

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, 127.0.0.1",
        "127.0.0.1, localhost",
        "0.0.0.0, 127.0.0.1",
        "127.0.0.1, 0.0.0.0",
        "::, 127.0.0.1",
        "127.0.0.1, ::"
    })
    void keepsOtherConnectorsFromTheAddress(String held, String wanted) {
        int port = Ports.free(1);
        InetSocketAddress first = new InetSocketAddress(held, port);
        InetSocketAddress second = new InetSocketAddress(wanted, port);
        WorkerPorts.take(first, "a");
        try {
            assertTaken(second, "b", "a");
            WorkerPorts.take(first, "a");
            WorkerPorts.giveBack(first);
            assertTaken(second, "b", "a");
        } finally {
            WorkerPorts.giveBack(first);
        }
        WorkerPorts.take(second, "b");
        WorkerPorts.giveBack(second);
    }

    @ParameterizedTest
    @CsvSource({"127.0.0.1, 127.0.0.2, 0", "0.0.0.0, 127.0.0.1, 1"})
    void leavesOtherAddressesAlone(String held, String wanted, int distance) {
        int port = Ports.free(2);
        InetSocketAddress first = new InetSocketAddress(held, port);
        InetSocketAddress second = new InetSocketAddress(wanted, port + distance);
        WorkerPorts.take(first, "a");
        try {
            assertThatCode(() -> WorkerPorts.take(second, "b")).doesNotThrowAnyException();
            WorkerPorts.giveBack(second);
        } finally {
            WorkerPorts.giveBack(first);
        }
    }

    @Test
    void sharesNoPortWithAnotherProcess() throws IOException {
        int port = Ports.free(1);
        Map<String, String> shared = Map.of("port", Integer.toString(port), "port.mode", "worker");
        // The registry does not know this socket, as it does not know those of other processes.
        try (ServerSocketChannel other = ServerSocketChannel.open()) {
            ServerSocketChannel ignored = other.setOption(StandardSocketOptions.SO_REUSEPORT, true)
                    .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            assertThatThrownBy(() -> new RunningServer(shared))
                    .isInstanceOf(ConnectException.class)
                    .hasCauseInstanceOf(BindException.class);
        }
        try (RunningServer one = new RunningServer(shared);
                RunningServer two = new RunningServer(shared)) {
            assertThat(one.server.port()).isEqualTo(two.server.port());
        }
    }
}
