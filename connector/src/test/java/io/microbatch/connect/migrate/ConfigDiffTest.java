package io.microbatch.connect.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.console.HostedKeys;
import io.microbatch.connect.console.Secrets;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ConfigDiffTest {

    private static final Map<String, String> PLAIN = Map.of(
            "connector.class", "a.B",
            "tasks.max", "1",
            "database.password", "hunter2",
            "pin", "4711",
            "note", "plain text",
            "database.user", "${file:/run/secrets/shop:user}");

    private static final Secrets SECRETS = Plan.secrets(Set.of("pin"), Set.of());

    @Test
    void showsAKeyNextToItsOtherNameAndNoSecret() {
        Map<String, String> hosted = new HashMap<>(HostedKeys.wrapped(PLAIN));
        hosted.put("latency.target.ms", "100");

        assertThat(ConfigDiff.lines(PLAIN, hosted, SECRETS))
                .containsExactly(
                        "+ upstream.connector.class = a.B",
                        "- connector.class = a.B",
                        "+ connector.class = io.microbatch.connect.MicrobatchSourceConnector",
                        "- database.password = (hidden)",
                        "+ upstream.connector.database.password = (hidden)",
                        "- database.user = ${file:/run/secrets/shop:user}",
                        "+ upstream.connector.database.user = ${file:/run/secrets/shop:user}",
                        "+ latency.target.ms = 100",
                        "- note = plain text",
                        "+ upstream.connector.note = plain text",
                        "- pin = (hidden)",
                        "+ upstream.connector.pin = (hidden)",
                        "  tasks.max = 1");
    }

    /** The error of a connector can repeat a value, whatever its key. */
    @Test
    void hidesSecretsInTextsOfTheWorker() {
        Report report = new Report(new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8));
        report.hide(PLAIN, SECRETS);
        report.hide(Map.of("password", "hunter22"), SECRETS);

        assertThat(report.masked("login with hunter22, then hunter2 and 4711 of plain text failed"))
                .isEqualTo("login with (hidden), then (hidden) and (hidden) of plain text failed");
    }
}
