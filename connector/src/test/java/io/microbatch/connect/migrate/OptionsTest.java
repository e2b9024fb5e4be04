package io.microbatch.connect.migrate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OptionsTest {

    private static Options options(String... more) {
        List<String> arguments = new ArrayList<>(List.of("--rest", "http://worker:8083", "--connector", "shop"));
        arguments.addAll(List.of(more));
        return Options.of(arguments);
    }

    @Test
    void changesNothingUnlessItIsToldTo() {
        assertThat(options().execute()).isFalse();
        assertThat(options("--dry-run").execute()).isFalse();
        assertThat(options("--execute").execute()).isTrue();
    }

    @Test
    void readsEveryArgument() {
        Options options = options(
                "--back",
                "--set",
                "a.b=c=d",
                "--set",
                "empty=",
                "--remove",
                "x",
                "--from",
                "shop.json",
                "--save",
                "d",
                "--timeout",
                "7",
                "--watch",
                "0");

        assertThat(options.back()).isTrue();
        assertThat(options.set()).isEqualTo(Map.of("a.b", "c=d", "empty", ""));
        assertThat(options.remove()).isEqualTo(Set.of("x"));
        assertThat(options.from()).contains(Path.of("shop.json"));
        assertThat(options.directory()).isEqualTo(Path.of("d"));
        assertThat(options.limit()).isEqualTo(Duration.ofSeconds(7));
        assertThat(options.watch()).isZero();
        assertThat(options).hasToString("Options[shop]");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--what|unknown argument --what",
                "--set|--set needs a value",
                "--set a|--set needs KEY=VALUE",
                "--set =b|--set needs KEY=VALUE",
                "--timeout soon|--timeout needs seconds",
                "--watch -1|--watch needs seconds",
                "--connector other|--connector is given twice",
                "--execute --dry-run|exclude each other",
            })
    void saysWhatIsWrong(String more, String message) {
        assertThatThrownBy(() -> options(more.split(" ", -1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @CsvSource({
        "worker:8083,needs an address",
        "ftp://worker,needs an address",
        "http://me:hunter2@worker:8083,takes no user",
        "'http://wor ker',needs an address",
    })
    void refusesAnAddressThatIsNone(String rest, String message) {
        assertThatThrownBy(() -> Options.of(List.of("--connector", "shop", "--rest", rest)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message)
                .hasMessageNotContaining("hunter2");
    }

    @Test
    void needsAnAddressAndAName() {
        assertThatThrownBy(() -> Options.of(List.of("--connector", "shop"))).hasMessage("--rest is needed");
        assertThatThrownBy(() -> Options.of(List.of("--rest", "http://worker"))).hasMessage("--connector is needed");
    }
}
