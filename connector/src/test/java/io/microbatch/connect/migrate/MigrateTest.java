package io.microbatch.connect.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the command says before it asks a worker. {@code MigrateIT} and {@code MigrateTlsIT} have real workers. */
class MigrateTest {

    /** Nothing listens there. */
    private static final List<String> ARGUMENTS = List.of("--rest", "http://127.0.0.1:9", "--connector", "shop");

    private static final String CREDENTIALS = "c2hvcDpzZWNyZXQ";

    private int exitCode;

    private String output(List<String> arguments, String authorization) throws InterruptedException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8)) {
            exitCode = Migrate.run(arguments, authorization, out);
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Basic " + CREDENTIALS + "\n",
                "Basic " + CREDENTIALS + "\r\nX: y",
                "Basic " + CREDENTIALS + "\u0000",
                "\u007fBasic " + CREDENTIALS,
                "Bearer " + CREDENTIALS + "\t",
                "Bearer " + CREDENTIALS + "\u00e9",
                "Bearer \u20ac" + CREDENTIALS
            })
    void refusesAnAuthorizationThatNoRequestCanHaveAndDoesNotShowIt(String authorization) throws InterruptedException {
        assertThat(output(ARGUMENTS, authorization))
                .contains("CONNECT_AUTHORIZATION", "one line of printable ASCII characters")
                .doesNotContain(CREDENTIALS);
        assertThat(exitCode).isEqualTo(2);
    }

    @Test
    void asksTheWorkerWithAnAuthorizationThatCanBeSent() throws InterruptedException {
        for (String authorization : new String[] {null, " ", "Basic " + CREDENTIALS + "=="}) {
            assertThat(output(ARGUMENTS, authorization)).startsWith("Nothing was changed: ");
            assertThat(exitCode).isEqualTo(1);
        }
    }

    @Test
    void helpsWithoutLookingAtTheAuthorization() throws InterruptedException {
        assertThat(output(List.of("--help"), "Basic\n")).contains("usage: microbatch migrate");
        assertThat(exitCode).isZero();
    }
}
