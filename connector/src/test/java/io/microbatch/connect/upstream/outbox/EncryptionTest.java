package io.microbatch.connect.upstream.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.config.MicrobatchConfig;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EncryptionTest {

    private static Optional<String> warning(String address) {
        return Encryption.warning(new MicrobatchConfig(Map.of(
                        "upstream.type", "outbox",
                        "upstream.outbox.jdbc.url", "jdbc:postgresql://" + address,
                        "upstream.outbox.user", "relay",
                        "upstream.outbox.password", "hunter2"))
                .outbox());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "db/shop",
                "db:5433/shop?connectTimeout=5",
                "db/shop?sslmode=disable",
                "db/shop?sslmode=allow",
                "db/shop?sslmode=prefer",
                "db/shop?sslmode=require&sslmode=disable",
                "127.0.0.1:5432,10.0.0.2:5432/shop",
                "127.0.0.1.example.org/shop",
                "[2001:db8::1]:5432/shop"
            })
    void warnsWhereTheDriverMayTalkToAnotherMachineInClearText(String address) {
        assertThat(warning(address))
                .get()
                .asString()
                .contains("upstream.outbox.jdbc.url", "sslmode=verify-full")
                .doesNotContain("hunter2", "relay", "shop");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "db/shop?sslmode=require",
                "db/shop?sslmode=verify-ca",
                "db/shop?connectTimeout=5&sslmode=verify-full",
                // The driver refuses it.
                "db/shop?sslmode=none",
                "localhost/shop",
                "127.0.0.1:5432,127.0.0.2/shop?sslmode=disable",
                "[::1]:5432/shop"
            })
    void doesNotWarnWhereTlsIsRequiredOrNothingLeavesTheMachine(String address) {
        assertThat(warning(address)).isEmpty();
    }
}
