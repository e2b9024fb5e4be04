package io.microbatch.connect.upstream.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** One address does not take the connections of all others. */
class ConnectionsPerAddressTest {

    private static final String HEALTH = "GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n";

    private static final Map<String, String> FOUR = Map.of(
            "max.connections", "6",
            "max.connections.per.address", "4",
            "header.timeout.ms", "600000",
            "body.timeout.ms", "600000",
            "idle.timeout.ms", "600000");

    private static final long A_SECOND_NANOS = TimeUnit.SECONDS.toNanos(1) + 1;

    private final List<RawClient> clients = new ArrayList<>();

    private RawClient connect(RunningServer server) {
        RawClient client = server.connect();
        boolean ignored = clients.add(client);
        return client;
    }

    @Test
    void whoIsSilentBeyondTheLimitIsClosedAndTakesNoPlace() {
        AtomicLong now = new AtomicLong(System.nanoTime());
        try (RunningServer server = new RunningServer(FOUR, now::get)) {
            for (int i = 0; i < 4; i++) {
                RawClient open = connect(server);
                open.send(HEALTH);
                assertThat(open.response().closes()).isFalse();
            }
            RawClient silent = connect(server);
            RawClient slow = connect(server);
            slow.send("POST /ev");
            RawClient health = connect(server);
            health.send(HEALTH);
            RawClient.Response response = health.response();
            assertThat(response.status()).isEqualTo(200);
            assertThat(response.closes()).isTrue();
            assertThat(server.service.figures().connections().get()).isEqualTo(4);
            boolean ignored = now.addAndGet(A_SECOND_NANOS) > 0;
            assertThat(silent.isClosed()).isTrue();
            assertThat(slow.response().status()).isEqualTo(408);
            RawClient body = connect(server);
            body.send("POST /events/orders HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\n"
                    + "Content-Length: 3\r\n\r\na");
            server.passLoop();
            ignored = now.addAndGet(A_SECOND_NANOS) > 0;
            assertThat(body.response().status()).isEqualTo(429);
        } finally {
            clients.forEach(RawClient::close);
        }
    }

    @Test
    void aFloodIsClosedAtOnce() {
        long never = System.nanoTime();
        // The clock stands still, so that nothing takes too long.
        try (RunningServer server = new RunningServer(FOUR, () -> never)) {
            for (int i = 0; i < 8; i++) {
                boolean ignored = clients.add(server.connect());
            }
            RawClient last = connect(server);
            assertThat(last.isClosed()).isTrue();
            assertThat(server.service.figures().connections().get()).isEqualTo(4);
        } finally {
            clients.forEach(RawClient::close);
        }
    }

    /** A host of IPv6 has all addresses of a network of 64 bits. */
    @ParameterizedTest
    @CsvSource({
        "192.0.2.1, 192.0.2.1, true",
        "192.0.2.1, 192.0.2.2, false",
        "2001:db8:1:2::1, 2001:db8:1:2:ffff:ffff:ffff:ffff, true",
        "2001:db8:1:2::1, 2001:db8:1:3::1, false",
        "2001:db8:1:2::1, 2001:db8:1:2::1%1, true"
    })
    void countsAHostAsOneAddress(String one, String other, boolean isSame) throws UnknownHostException {
        InetAddress first = HttpServer.counted(InetAddress.getByName(one));
        InetAddress second = HttpServer.counted(InetAddress.getByName(other));
        assertThat(first.equals(second)).isEqualTo(isSame);
    }

    @Test
    void countsIPv4InIPv6AsIPv4() throws UnknownHostException {
        byte[] mapped = new byte[16];
        mapped[10] = (byte) 0xff;
        mapped[11] = (byte) 0xff;
        byte[] address = {(byte) 192, 0, 2, 1};
        System.arraycopy(address, 0, mapped, 12, 4);
        assertThat(HttpServer.counted(Inet6Address.getByAddress(null, mapped, 0)))
                .isEqualTo(InetAddress.getByAddress(address));
    }
}
