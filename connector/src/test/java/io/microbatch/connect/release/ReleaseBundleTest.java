package io.microbatch.connect.release;

import static io.microbatch.connect.release.ReleaseCheckout.CONNECTOR;
import static io.microbatch.connect.release.ReleaseCheckout.TRANSFORMS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.microbatch.connect.release.ReleaseCheckout.Ended;
import io.microbatch.testbed.InstalledProgram;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Which bundle {@code build/release --upload} sends to Maven Central, and which one it refuses. A program of the build
 * has the signing key and could make each of them. Nothing is sent: another program is in the place of curl. Skipped
 * without Git, GnuPG or Python.
 */
class ReleaseBundleTest {

    private static final String TOKEN = "dG9rZW4=";

    @TempDir
    private Path directory;

    /** Short, because the name of a socket may not be long. */
    @TempDir
    private Path keys;

    private ReleaseCheckout checkout;

    @BeforeEach
    void makeARelease() throws IOException, InterruptedException {
        for (String program : List.of("git", "gpg", "python3")) {
            assumeTrue(InstalledProgram.exists(program), program + " is not installed");
        }
        checkout = new ReleaseCheckout(directory, keys);
        checkout.create();
        checkout.release("Release");
    }

    @AfterEach
    void endTheAgent() throws IOException, InterruptedException {
        if (checkout != null) {
            checkout.endTheAgent();
        }
    }

    @Test
    void sendsTheFilesThatItHasChecked() throws IOException, InterruptedException {
        Map<String, byte[]> bundle = checkout.bundle();

        Ended ended = checkout.script(TOKEN, "--upload");

        assertThat(ended.status()).as(ended.output()).isZero();
        assertThat(ReleaseCheckout.entries(checkout.sent()))
                .hasSize(36)
                .hasSameSizeAs(bundle)
                .allSatisfy((name, content) -> assertThat(content).as(name).isEqualTo(bundle.get(name)));
    }

    @ParameterizedTest
    @ValueSource(strings = {CONNECTOR, TRANSFORMS})
    void refusesAJarThatIsNotTheOneOfTheArchive(String module) throws IOException, InterruptedException {
        Map<String, byte[]> bundle = checkout.bundle();
        checkout.add(bundle, module, ".jar", "another jar", "Release");

        assertThat(refused(bundle)).contains("the jar of " + module + " is not the one of the archive");
    }

    @ParameterizedTest
    @ValueSource(strings = {CONNECTOR, TRANSFORMS, "kafka-connect-microbatch-parent"})
    void refusesAPomThatIsNotTheOneOfTheCheckout(String module) throws IOException, InterruptedException {
        Map<String, byte[]> bundle = checkout.bundle();
        checkout.add(bundle, module, ".pom", "<project/>", "Release");

        assertThat(refused(bundle)).contains("the pom of " + module + " is not the one of the checkout");
    }

    @Test
    void refusesAFurtherFile() throws IOException, InterruptedException {
        Map<String, byte[]> bundle = checkout.bundle();
        checkout.add(bundle, "kafka-connect-microbatch-other", ".jar", "another module", "Release");

        assertThat(refused(bundle))
                .contains("not the files of version 0.1.0")
                .contains(ReleaseCheckout.path("kafka-connect-microbatch-other", ".jar"));
    }

    @Test
    void refusesABundleWithoutASignature() throws IOException, InterruptedException {
        Map<String, byte[]> bundle = checkout.bundle();
        String signature = ReleaseCheckout.path(CONNECTOR, "-javadoc.jar.asc");
        assertThat(bundle.remove(signature)).isNotNull();

        assertThat(refused(bundle)).contains("not the files of version 0.1.0").contains(signature);
    }

    @Test
    void refusesAFileThatAnotherKeyHasSigned() throws IOException, InterruptedException {
        Map<String, byte[]> bundle = checkout.bundle();
        checkout.newKey("Another");
        checkout.add(bundle, CONNECTOR, "-sources.jar", "other sources", "Another");

        assertThat(refused(bundle)).contains("no valid key has signed " + CONNECTOR + "-0.1.0-sources.jar");
    }

    @Test
    void refusesAFileThatItsSignatureIsNotOf() throws IOException, InterruptedException {
        Map<String, byte[]> bundle = checkout.bundle();
        String signature = ReleaseCheckout.path(CONNECTOR, "-sources.jar.asc");
        checkout.add(bundle, CONNECTOR, "-javadoc.jar", "other pages", "Release");
        bundle.put(ReleaseCheckout.path(CONNECTOR, "-javadoc.jar.asc"), bundle.get(signature));

        assertThat(refused(bundle)).contains("no valid key has signed " + CONNECTOR + "-0.1.0-javadoc.jar");
    }

    @Test
    void refusesASumThatIsNotOfItsFile() throws IOException, InterruptedException {
        Map<String, byte[]> bundle = checkout.bundle();
        String sum = ReleaseCheckout.path(TRANSFORMS, ".jar.sha1");
        bundle.put(sum, "0".repeat(40).getBytes(StandardCharsets.UTF_8));

        assertThat(refused(bundle)).contains(sum + " is not the sum of its file");
    }

    @Test
    void refusesABundleThatIsNoZipFile() throws IOException, InterruptedException {
        checkout.write("target/release/central-bundle.zip", "no zip file");

        assertThat(refused()).contains("central-bundle.zip: File is not a zip file");
    }

    private String refused(Map<String, byte[]> bundle) throws IOException, InterruptedException {
        checkout.bundle(bundle);
        return refused();
    }

    /** There is a token. So what is refused is refused because of the bundle, and before it is sent. */
    private String refused() throws IOException, InterruptedException {
        Ended ended = checkout.script(TOKEN, "--upload");
        assertThat(ended.status()).as(ended.output()).isEqualTo(1);
        assertThat(checkout.sent()).doesNotExist();
        return ended.output();
    }
}
