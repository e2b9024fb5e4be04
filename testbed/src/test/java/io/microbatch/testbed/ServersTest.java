package io.microbatch.testbed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ServersTest {

    @AfterEach
    void clear() {
        System.clearProperty(Servers.PROPERTY);
    }

    @Test
    void areProcessesByDefault() {
        assertThat(Servers.chosen()).isInstanceOf(ProcessServers.class);
        System.setProperty(Servers.PROPERTY, "containers");
        assertThat(Servers.chosen()).isInstanceOf(ContainerServers.class);
    }

    @Test
    void refuseAnUnknownKind() {
        System.setProperty(Servers.PROPERTY, "clouds");
        assertThatThrownBy(Servers::chosen).hasMessageContaining("clouds").hasMessageContaining("containers");
    }
}
