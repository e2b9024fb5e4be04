package io.microbatch.testbed;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class PostgresProcessTest {

    @Test
    void knowsWhetherRootMayMakeANamespace() {
        assertThat(PostgresProcess.canEnterNamespace(List.of("env"))).isTrue();
        // As unshare ends where it is forbidden, and where the program is missing.
        assertThat(PostgresProcess.canEnterNamespace(List.of("false"))).isFalse();
        assertThat(PostgresProcess.canEnterNamespace(List.of("no-such-program")))
                .isFalse();
    }
}
