package io.microbatch.connect.config;

import java.util.Optional;
import org.apache.kafka.common.config.types.Password;

/** The files of TLS. Plain HTTP if there is no keystore. Immutable; any thread. */
public record HttpTlsConfig(Optional<Store> keystore, Optional<Store> truststore) {

    /** A keystore or truststore, for example of type PKCS12. The password may be null. */
    public record Store(String path, Password password, String type) {}

    /** Whether the server speaks TLS. */
    public boolean isOn() {
        return keystore.isPresent();
    }
}
