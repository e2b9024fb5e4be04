package io.microbatch.connect.release;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.microbatch.connect.release.ReleaseCheckout.Ended;
import io.microbatch.testbed.InstalledProgram;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What {@code build/release} refuses before it builds or sends anything, in a repository that is made here. Nothing is
 * built, and the bundle for Maven Central has tests of its own. Skipped without Git, GnuPG or Python.
 */
class ReleaseScriptTest {

    /** All that is asked of a checkout holds, and there is nothing to upload. */
    private static final String NO_RELEASE = "target/release has no signed release of version 0.1.0";

    private static final String NO_TOKEN = "CENTRAL_TOKEN is not set";

    @TempDir
    private Path directory;

    /** Short, because the name of a socket may not be long. */
    @TempDir
    private Path keys;

    private ReleaseCheckout checkout;

    @BeforeEach
    void commitARelease() throws IOException, InterruptedException {
        for (String program : List.of("git", "gpg", "python3")) {
            assumeTrue(InstalledProgram.exists(program), program + " is not installed");
        }
        checkout = new ReleaseCheckout(directory, keys);
        checkout.create();
    }

    @AfterEach
    void endTheAgent() throws IOException, InterruptedException {
        if (checkout != null) {
            checkout.endTheAgent();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://github.com/microbatch/kafka-connect-microbatch",
                "https://github.com/microbatch/kafka-connect-microbatch.git",
                "https://github.com/microbatch/kafka-connect-microbatch/",
                "https://somebody@github.com/microbatch/kafka-connect-microbatch.git",
                "ssh://git@github.com/microbatch/kafka-connect-microbatch.git",
                "git@github.com:microbatch/kafka-connect-microbatch.git",
                "github.com:microbatch/kafka-connect-microbatch",
            })
    void takesEachAddressOfTheProject(String address) throws IOException, InterruptedException {
        checkout.git("remote", "set-url", "origin", address);

        assertThat(upload()).contains(NO_RELEASE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://gitlab.example/notmicrobatch/kafka-connect-microbatch-fork.git",
                "https://gitlab.example/microbatch/kafka-connect-microbatch.git",
                "https://github.com/notmicrobatch/kafka-connect-microbatch.git",
                "https://github.com/microbatch/kafka-connect-microbatch-fork.git",
                "https://other.example/a@github.com/microbatch/kafka-connect-microbatch",
                "https://github.com.example/microbatch/kafka-connect-microbatch",
                "git@gitlab.example:microbatch/kafka-connect-microbatch.git",
                "git@other.example:github.com/microbatch/kafka-connect-microbatch.git",
                "http://github.com/microbatch/kafka-connect-microbatch",
                "/srv/github.com/microbatch/kafka-connect-microbatch",
                "/srv/somebody@github.com:microbatch/kafka-connect-microbatch",
                "github.com/microbatch/kafka-connect-microbatch",
            })
    void refusesEachOtherAddress(String address) throws IOException, InterruptedException {
        checkout.git("remote", "set-url", "origin", address);

        assertThat(upload()).contains("the remote origin is another one");
    }

    @Test
    void takesAReleaseThatAPublishedKeyHasSigned() throws IOException, InterruptedException {
        checkout.release("Release");

        assertThat(upload()).contains(NO_TOKEN);
    }

    /** The key of a dry run, or of anybody, is none that a reader could check. */
    @Test
    void refusesAReleaseThatAnotherKeyHasSigned() throws IOException, InterruptedException {
        checkout.newKey("Another");
        checkout.release("Another");

        assertThat(upload()).contains(NO_RELEASE);
    }

    @Test
    void refusesAReleaseWhoseArchiveAnotherKeyHasSigned() throws IOException, InterruptedException {
        checkout.release("Release");
        checkout.newKey("Another");
        checkout.signArchive("Another");

        assertThat(upload()).contains(NO_RELEASE);
    }

    @Test
    void refusesAReleaseThatHasChangedSinceItWasSigned() throws IOException, InterruptedException {
        checkout.release("Release");
        checkout.changeArchive();

        assertThat(upload()).contains(NO_RELEASE);
    }

    @Test
    void refusesAReleaseWithoutAPublishedKey() throws IOException, InterruptedException {
        checkout.release("Release");
        checkout.delete("KEYS");
        checkout.commit();

        assertThat(upload()).contains("no file KEYS");
    }

    /** GnuPG calls such a signature good, and ends with 0. */
    @Test
    void refusesAReleaseOfAKeyThatIsRevoked() throws IOException, InterruptedException {
        checkout.release("Release");
        checkout.revoke();
        checkout.publish("Release");
        checkout.commit();

        assertThat(upload()).contains(NO_RELEASE);
    }

    /** GnuPG calls such a signature good, and ends with 0. */
    @Test
    void refusesAReleaseOfAKeyThatHasExpired() throws IOException, InterruptedException {
        checkout.newKeyOf2020("Old");
        checkout.release("Old");
        checkout.publish("Old");
        checkout.commit();
        assertThat(upload()).contains(NO_TOKEN);

        checkout.expireIn2020("Old");
        checkout.publish("Old");
        checkout.commit();

        assertThat(upload()).contains(NO_RELEASE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"README.md", "SECURITY.md"})
    void refusesAReleaseOfWhichAPageSaysThatThereIsNone(String page) throws IOException, InterruptedException {
        checkout.write(page, "**Status.** There is no\nrelease yet.\n");
        checkout.commit();

        assertThat(upload()).contains("says that there is no release yet");
    }

    /** A variable without a value must not make a dry run of a release. */
    /** The archive takes whole directories, such as the one in which Terraform leaves what it has downloaded. */
    @Test
    void refusesAReleaseWithFilesThatGitIgnores() throws IOException, InterruptedException {
        checkout.write(".gitignore", "target/\n.terraform/\n");
        checkout.commit();
        checkout.release("Release");
        checkout.write("deploy/.terraform/README.md", "a provider");

        assertThat(upload()).contains("the checkout has files that Git ignores: deploy/");
    }

    @Test
    void refusesAnEmptyKey() throws IOException, InterruptedException {
        assertThat(refused("--key", "")).contains("--key needs the ID of a key");
    }

    @Test
    void refusesAKeyThatIsNotPublishedBeforeItBuilds() throws IOException, InterruptedException {
        checkout.newKey("Another");

        assertThat(refused("--key", "Another")).contains("Another is not in the file KEYS");
    }

    @Test
    void refusesAKeyThatItCannotSignWith() throws IOException, InterruptedException {
        assertThat(refused("--key", "Nobody")).contains("cannot sign with the key Nobody");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-o", "--offline"})
    void refusesToBuildOffline(String option) throws IOException, InterruptedException {
        assertThat(refused(option)).contains("there is no bill of materials: leave out " + option);
    }

    private String upload() throws IOException, InterruptedException {
        return refused("--upload");
    }

    private String refused(String... arguments) throws IOException, InterruptedException {
        Ended ended = checkout.script("", arguments);
        assertThat(ended.status()).as(ended.output()).isEqualTo(1);
        return ended.output();
    }
}
