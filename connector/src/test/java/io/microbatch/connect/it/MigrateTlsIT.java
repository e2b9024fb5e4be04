package io.microbatch.connect.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.it.Cluster.Mode;
import io.microbatch.connect.it.guarded.GuardExtension;
import io.microbatch.connect.upstream.http.Certificates;
import io.microbatch.testbed.Await;
import io.microbatch.testbed.ConnectRest;
import io.microbatch.testbed.ConnectWorker;
import io.microbatch.testbed.pages.CommandRegistry;
import io.microbatch.testbed.pages.PageCommand;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.kafka.connect.rest.ConnectRestExtension;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * The archive's {@code microbatch migrate}, as the page says, with a worker that listens with HTTPS only and requires a
 * header {@code Authorization}.
 */
@Tag("long")
@ExtendWith(Cluster.Shared.class)
class MigrateTlsIT {

    private static final Duration PATIENCE = Duration.ofSeconds(120);
    private static final String NAME = "migrate-tls";
    private static final String USER = "shop:secret";
    private static final String MIGRATE = "bin/microbatch migrate --rest https://worker:8443 --connector shop";

    private final CommandRegistry registry = new CommandRegistry(Path.of(".."));
    private final Cluster cluster;
    private Path archive;
    private String address;

    MigrateTlsIT(Cluster cluster) {
        this.cluster = cluster;
    }

    @Test
    void movesAConnectorBehindHttpsAndAuthentication(@TempDir Path directory)
            throws IOException, InterruptedException, GeneralSecurityException {
        archive = PageShell.unpackedArchive(directory);
        Path server = Certificates.newKey(cluster.directory().resolve(NAME + ".p12"), "CN=worker", "-1H");
        Path other = Certificates.newKey(directory.resolve("other.p12"), "CN=other", "-1H");
        Path trusted = Certificates.trusting(archive.resolve("trust.p12"), server);
        Path distrusting = Certificates.trusting(archive.resolve("distrusting.p12"), other);
        TestPlugin.install(cluster.plugins(), GuardExtension.class, ConnectRestExtension.class);
        String authorization = "Basic " + Base64.getEncoder().encodeToString(USER.getBytes(StandardCharsets.UTF_8));
        try (ConnectWorker worker = cluster.worker(Mode.AT_LEAST_ONCE, NAME)
                .property("config.storage.topic", NAME + "-config")
                .property("status.storage.topic", NAME + "-status")
                .property("rest.extension.classes", GuardExtension.class.getName())
                .property(GuardExtension.EXPECTED, authorization)
                .property("listeners.https.ssl.keystore.location", server.toString())
                .property("listeners.https.ssl.keystore.password", Certificates.PASSWORD)
                .property("listeners.https.ssl.keystore.type", "PKCS12")
                .https(Certificates.client(null, server), authorization)
                .start()) {
            address = worker.rest().address().toString();
            runFileSource(worker.rest(), Files.writeString(directory.resolve("lines"), "a\nb\n"));

            String page = page();
            assertThat(run(page, 0)).contains("Connector shop on Connect").contains("Add --execute to do it.");
            assertThat(run(page + " --execute", 0)).contains("Done. shop is hosted.");
            assertThat(worker.rest().status("shop").isRunningWith(1)).isTrue();
            assertThat(run(page + " --back --execute", 0)).contains("Done. shop runs plain.");

            String distrust = page.replace(
                    trusted.getFileName().toString(), distrusting.getFileName().toString());
            assertThat(run(distrust + " --execute", 1))
                    .contains("Nothing was changed: the worker's certificate is not trusted.")
                    .contains("-Djavax.net.ssl.trustStore=");
            assertThat(run(page.replace("trustStorePassword=", "trustStorePassword=not") + " --execute", 1))
                    .contains("Nothing was changed: the trust store")
                    .doesNotContain("Exception");
            assertThat(run(page.replace("shop:secret", "shop:wrong") + " --execute", 1))
                    .contains("status 401")
                    .contains("Set CONNECT_AUTHORIZATION")
                    .doesNotContain("c2hvcD");
            assertThat(run(page.replace("https://", "http://"), 1)).contains("Nothing was changed: ");
            worker.rest().delete("shop");
        }
    }

    private static void runFileSource(ConnectRest rest, Path file) {
        rest.create(
                "shop",
                Map.of(
                        "connector.class",
                        "org.apache.kafka.connect.file.FileStreamSourceConnector",
                        "tasks.max",
                        "1",
                        "topic",
                        NAME,
                        "file",
                        file.toString()));
        rest.awaitRunning("shop", 1);
        Await.until(
                "offsets of the file",
                PATIENCE,
                () -> rest.offsets("shop").at("/offsets/0/offset/position").asLong() == 4,
                () -> rest.offsets("shop").toString());
    }

    /** The commands of the page for HTTPS, with the names of this worker: the last one is a dry run. */
    private String page() {
        String page = registry.commands("docs/migrate.md", MigrateTlsIT.class).stream()
                .map(PageCommand::text)
                .collect(Collectors.joining("\n"));
        assertThat(page).endsWith(MIGRATE).contains(USER, "trust.p12", Certificates.PASSWORD);
        return page.replace("https://worker:8443", address);
    }

    private String run(String script, int exitCode) throws IOException, InterruptedException {
        String output = PageShell.in(archive).run(script + "\ntest $? -eq " + exitCode, PATIENCE);
        assertThat(output).doesNotContain(Certificates.PASSWORD).doesNotContain(USER);
        return output;
    }
}
