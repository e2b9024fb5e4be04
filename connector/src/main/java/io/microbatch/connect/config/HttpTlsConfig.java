package io.microbatch.connect.config;

import java.util.Optional;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Type;
import org.apache.kafka.common.config.ConfigDef.Width;
import org.apache.kafka.common.config.types.Password;

/** The files of TLS. Plain HTTP if there is no keystore. Immutable; any thread. */
public record HttpTlsConfig(Optional<Store> keystore, Optional<Store> truststore) {

    static final String PREFIX = HttpConfig.PREFIX + "tls.";
    static final String KEYSTORE = PREFIX + "keystore.";
    static final String TRUSTSTORE = PREFIX + "truststore.";
    static final String PATH = "path";
    static final String PASSWORD = "password";
    static final String TYPE = "type";

    private static final String KEYSTORE_DOC =
            "The file with the server's key and certificate. With it the server speaks TLS 1.2 and 1.3, and nothing "
                    + "else. The task looks at the file every minute and uses a renewed one for new connections.";
    private static final String TRUSTSTORE_DOC =
            "The file with the certificates that clients' certificates must come from. Required with "
                    + "upstream.http.auth=mtls, and read only with it. Looked at every minute too.";

    /** A keystore or truststore, for example of type PKCS12. The password may be null. */
    public record Store(String path, Password password, String type) {}

    /** Whether the server speaks TLS. */
    public boolean isOn() {
        return keystore.isPresent();
    }

    static void define(KeyGroup keys) {
        define(keys, KEYSTORE, "keystore", KEYSTORE_DOC);
        define(keys, TRUSTSTORE, "truststore", TRUSTSTORE_DOC);
    }

    private static void define(KeyGroup keys, String prefix, String name, String doc) {
        keys.add(Importance.MEDIUM, prefix + PATH, "TLS " + name, doc).takes(Type.STRING, null, Width.LONG);
        keys.add(
                        Importance.MEDIUM,
                        prefix + PASSWORD,
                        "Password of the " + name,
                        "The password of the file, and of the key in it. Let a config provider read it.")
                .takes(Type.PASSWORD, null, Width.MEDIUM);
        keys.add(Importance.LOW, prefix + TYPE, "Type of the " + name, "The format of the file.")
                .takesOneOf("PKCS12", "JKS");
    }

    static HttpTlsConfig from(AbstractConfig config) {
        return new HttpTlsConfig(store(config, KEYSTORE), store(config, TRUSTSTORE));
    }

    private static Optional<Store> store(AbstractConfig config, String prefix) {
        String path = config.getString(prefix + PATH);
        return path == null || path.isBlank()
                ? Optional.empty()
                : Optional.of(new Store(path, config.getPassword(prefix + PASSWORD), config.getString(prefix + TYPE)));
    }
}
