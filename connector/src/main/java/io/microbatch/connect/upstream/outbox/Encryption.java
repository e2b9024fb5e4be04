package io.microbatch.connect.upstream.outbox;

import io.microbatch.connect.config.HttpAddress;
import io.microbatch.connect.config.OutboxConfig;
import java.sql.SQLException;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Stream;
import org.postgresql.Driver;
import org.postgresql.PGProperty;
import org.postgresql.jdbc.SslMode;

/** Whether the driver may connect to another machine without TLS. Stateless; any thread. */
final class Encryption {

    private Encryption() {}

    /** What an operator should know, with the remedy and without the URL. Empty if TLS is required or not needed. */
    static Optional<String> warning(OutboxConfig config) {
        // The driver itself reads the URL, so that this is what it does.
        Properties effective = Driver.parseURL(config.url(), OutboxConnection.settings(config, "", 0));
        if (effective == null || isRequired(effective) || isLocal(effective)) {
            return Optional.empty();
        }
        return Optional.of(OutboxConfig.URL_CONFIG + " names a host that is not a loopback address, and its sslmode "
                + "does not require TLS: password and rows may travel in clear text. Set sslmode=verify-full in the "
                + "URL");
    }

    private static boolean isRequired(Properties effective) {
        try {
            return SslMode.of(effective).requireEncryption();
        } catch (SQLException e) {
            // The driver does not connect with such a value.
            return true;
        }
    }

    private static boolean isLocal(Properties effective) {
        String hosts = PGProperty.PG_HOST.getOrDefault(effective);
        return hosts == null || Stream.of(hosts.split(",")).allMatch(Encryption::isLoopback);
    }

    /** The brackets belong to the URL and not to an address of IPv6. */
    private static boolean isLoopback(String host) {
        return HttpAddress.isLoopback(host.replaceAll("^\\[|]$", ""));
    }
}
