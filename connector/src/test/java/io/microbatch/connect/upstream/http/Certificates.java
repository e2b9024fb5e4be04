package io.microbatch.connect.upstream.http;

import io.microbatch.connect.config.HttpTlsConfig;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.apache.kafka.common.config.types.Password;

/** Keys and certificates that the JDK's keytool makes, each signed by itself. */
public final class Certificates {

    public static final String PASSWORD = "changeit";

    private Certificates() {}

    /** Writes a keystore with one key whose certificate is valid for a day from a moment such as {@code -1H}. */
    public static Path newKey(Path file, String subject, String start) throws IOException, InterruptedException {
        Path keytool = Path.of(System.getProperty("java.home"), "bin", "keytool");
        Process process = new ProcessBuilder(List.of(
                        keytool.toString(),
                        "-genkeypair",
                        "-alias",
                        "key",
                        "-keyalg",
                        "EC",
                        "-groupname",
                        "secp256r1",
                        "-dname",
                        subject,
                        "-ext",
                        "san=ip:127.0.0.1,dns:localhost",
                        "-startdate",
                        start,
                        "-validity",
                        "1",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        file.toString(),
                        "-storepass",
                        PASSWORD))
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!process.waitFor(1, TimeUnit.MINUTES) || process.exitValue() != 0) {
            throw new IOException("keytool: " + output);
        }
        return file;
    }

    /** Writes a truststore with the certificates of keystores. */
    public static Path trusting(Path file, Path... keystores) throws IOException, GeneralSecurityException {
        KeyStore trust = KeyStore.getInstance("PKCS12");
        trust.load(null, null);
        for (int i = 0; i < keystores.length; i++) {
            trust.setCertificateEntry("c" + i, load(keystores[i]).getCertificate("key"));
        }
        try (OutputStream out = Files.newOutputStream(file)) {
            trust.store(out, PASSWORD.toCharArray());
        }
        return file;
    }

    static HttpTlsConfig.Store store(Path file) {
        return new HttpTlsConfig.Store(file.toString(), new Password(PASSWORD), "PKCS12");
    }

    /** The context of a client that trusts the server's keystore. Its own may be null. */
    public static SSLContext client(Path own, Path server) throws IOException, GeneralSecurityException {
        KeyStore trust = KeyStore.getInstance("PKCS12");
        trust.load(null, null);
        trust.setCertificateEntry("server", load(server).getCertificate("key"));
        TrustManagerFactory trusted = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trusted.init(trust);
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(own == null ? null : load(own), PASSWORD.toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), trusted.getTrustManagers(), null);
        return context;
    }

    private static KeyStore load(Path file) throws IOException, GeneralSecurityException {
        KeyStore keystore = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            keystore.load(in, PASSWORD.toCharArray());
        }
        return keystore;
    }
}
