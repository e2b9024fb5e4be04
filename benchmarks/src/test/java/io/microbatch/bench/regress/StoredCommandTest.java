package io.microbatch.bench.regress;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class StoredCommandTest {

    private static Optional<List<String>> of(String command, String... usual) {
        ObjectNode result = new ObjectMapper().createObjectNode();
        result.putObject("environment").put("command", command);
        return StoredCommand.of(result, List.of(usual));
    }

    @Test
    void isRepeatedWithoutTheFilesThatItWrote() {
        assertThat(of("frontier --quick --json TMP/a.json --rounds 3", "frontier", "--quick"))
                .contains(List.of("frontier", "--quick", "--rounds", "3"));
        assertThat(of("scenario slow-broker --delays 10,100 --json=TMP/a.json", "scenario", "slow-broker"))
                .contains(List.of("scenario", "slow-broker", "--delays", "10,100"));
        assertThat(of("frontier --quick --logs TMP/logs --json", "frontier", "--quick"))
                .contains(List.of("frontier", "--quick"));
    }

    @Test
    void isNotThatOfAnotherBenchmark() {
        assertThat(of("cdc --quick", "compare", "--quick")).isEmpty();
        assertThat(of("scenario sizes", "scenario", "mixed")).isEmpty();
        assertThat(of("scenario", "scenario", "mixed")).isEmpty();
    }

    @Test
    void isUnknownInTheEarliestResults() {
        assertThat(StoredCommand.of(new ObjectMapper().createObjectNode(), List.of("ramp", "--quick")))
                .isEmpty();
    }
}
