package io.microbatch.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.TextNode;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RedactionTest {

    private static final String ANYBODY = "***@";

    private final Redaction redaction = new Redaction(
            Map.of(Path.of("/home/some"), "HOME", Path.of("/home/some/checkout"), "CHECKOUT", Path.of("/"), "ALL"));

    private String command(String... words) {
        return redaction.command(List.of(words));
    }

    @Test
    void keepsWhatWasAskedFor() {
        assertThat(command("cdc", "--quick", "--contenders", "tuned,small-i20", "--rounds", "3"))
                .isEqualTo("cdc --quick --contenders tuned,small-i20 --rounds 3");
        assertThat(command("cluster", "--connect", "http://127.0.0.1:8083/"))
                .isEqualTo("cluster --connect http://127.0.0.1:8083/");
    }

    @Test
    void namesDirectoriesByWhatTheyAre() {
        assertThat(command("--json", "/home/some/checkout/a.json")).isEqualTo("--json CHECKOUT/a.json");
        assertThat(command("--json=/home/some/a.json")).isEqualTo("--json=HOME/a.json");
        assertThat(command("/home/some2/a.json")).as("another user").isEqualTo(".../a.json");
    }

    @Test
    void ofAnyOtherFileKeepsTheName() {
        assertThat(command("--json", "/var/results/a.json", "--driver", "/x/y/b.yaml,/c.yaml"))
                .isEqualTo("--json .../a.json --driver .../b.yaml,.../c.yaml");
        assertThat(command("--json", "results/a.json")).isEqualTo("--json results/a.json");
    }

    private String cleaned(String text) {
        return redaction.clean(TextNode.valueOf(text)).asText();
    }

    @Test
    void hidesTheUserOfAnAddress() {
        assertThat(command("cluster", "--connect", "http://some:secret@127.0.0.1:8083/"))
                .isEqualTo("cluster --connect http://" + ANYBODY + "127.0.0.1:8083/");
        assertThat(cleaned("cannot reach https://token@host:8083/a/b"))
                .isEqualTo("cannot reach https://" + ANYBODY + "host:8083/a/b");
        assertThat(cleaned("mail a@b")).isEqualTo("mail a@b");
    }

    @Test
    void hidesOtherDirectoriesInEveryText() {
        assertThat(cleaned("/var/results/a.json")).isEqualTo(".../a.json");
        assertThat(cleaned("cannot read '/x/y/b.yaml': none")).isEqualTo("cannot read '.../b.yaml': none");
        assertThat(cleaned("jdbc:sqlite:/x/y/z.db")).isEqualTo("jdbc:sqlite:.../z.db");
        assertThat(cleaned("/home/some/checkout/docs:/x/y.jar")).isEqualTo("CHECKOUT/docs:.../y.jar");
        for (String text : List.of("events/s", "http://127.0.0.1:8083/a/b", "CPU s/M", "/s (0 is all)", "a / b")) {
            assertThat(cleaned(text)).isEqualTo(text);
        }
    }

    @Test
    void hidesWhatIsAssignedToASecret() {
        assertThat(command("--set", "database.password=a=b", "--set", "poll.interval.ms=5"))
                .isEqualTo("--set database.password=*** --set poll.interval.ms=5");
    }
}
