package io.microbatch.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RedactionTest {

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

    @Test
    void hidesWhatIsAssignedToASecret() {
        assertThat(command("--set", "database.password=a=b", "--set", "poll.interval.ms=5"))
                .isEqualTo("--set database.password=*** --set poll.interval.ms=5");
    }
}
