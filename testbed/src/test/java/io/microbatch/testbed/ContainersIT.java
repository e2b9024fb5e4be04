package io.microbatch.testbed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.model.Container;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** The differences of servers in containers: their images, and that no container remains. */
@EnabledIfSystemProperty(named = Servers.PROPERTY, matches = "containers")
class ContainersIT {

    private static final String KAFKA_IMAGE = "kafka.image";

    private final DockerClient docker = ContainerEngine.docker();

    @Test
    void namesThePropertyOfAMissingImage() {
        String configured = System.setProperty(KAFKA_IMAGE, "127.0.0.1:1/no-such-image:1");
        try (WorkDirectory work = WorkDirectory.create("testbed-it-image")) {
            assertThatThrownBy(() -> Broker.start(TestbedHome.locate(), work.path()))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("-D" + KAFKA_IMAGE)
                    .hasMessageContaining("127.0.0.1:1/no-such-image:1");
        } finally {
            System.setProperty(KAFKA_IMAGE, configured);
        }
    }

    @Test
    void reportsWhyAServerDidNotStartAndRemovesItsContainer() {
        try (WorkDirectory work = WorkDirectory.create("testbed-it-end")) {
            assertThatThrownBy(() -> PostgresServer.start(work.path(), Map.of("wal_level", "no-such-level")))
                    .hasMessageContaining("ended with code")
                    .hasMessageContaining("no-such-level");
        }
        assertThat(ours("postgres.image")).isEmpty();
    }

    @Test
    void keepsADatabaseAfterAKillAndRemovesItOnClose() throws Exception {
        try (WorkDirectory work = WorkDirectory.create("testbed-it-kept");
                PostgresServer postgres = PostgresServer.start(work.path())) {
            execute(postgres, "CREATE TABLE kept AS SELECT 4711 AS number");
            postgres.kill();
            assertThat(postgres.answers()).isFalse();
            postgres.restart();
            try (Connection connection = postgres.connect();
                    Statement statement = connection.createStatement();
                    ResultSet rows = statement.executeQuery("SELECT number FROM kept")) {
                assertThat(rows.next()).isTrue();
                assertThat(rows.getInt(1)).isEqualTo(4711);
            }
            assertThat(ours("postgres.image")).hasSize(1);
        }
        assertThat(ours("postgres.image")).isEmpty();
    }

    @Test
    void stopsAFrozenBroker() {
        try (WorkDirectory work = WorkDirectory.create("testbed-it-frozen");
                Broker broker = Broker.start(TestbedHome.locate(), work.path())) {
            broker.freeze();
            assertThat(broker.isAlive()).isTrue();
            broker.kill();
            assertThat(broker.isAlive()).isFalse();
            broker.restart();
            assertThat(broker.isAlive()).isTrue();
        }
        assertThat(ours(KAFKA_IMAGE)).isEmpty();
    }

    @Test
    void removesTheContainersOfAnEndedProcess() throws IOException, InterruptedException {
        Process gone = new ProcessBuilder("true").start();
        assertThat(gone.waitFor()).isZero();
        Map<String, String> labels = new HashMap<>(ContainerEngine.labels());
        labels.replaceAll((key, value) -> key.endsWith(".pid") ? Long.toString(gone.pid()) : value);
        String left = docker.createContainerCmd(System.getProperty(KAFKA_IMAGE))
                .withLabels(labels)
                .exec()
                .getId();

        ContainerEngine.removeLeftOvers(docker);

        assertThat(docker.listContainersCmd().withShowAll(true).exec())
                .extracting(Container::getId)
                .doesNotContain(left);
    }

    private static void execute(PostgresServer postgres, String sql) throws Exception {
        try (Connection connection = postgres.connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** The containers of this process with the image that the property names. */
    private List<Container> ours(String image) {
        return docker.listContainersCmd().withShowAll(true).withLabelFilter(ContainerEngine.labels()).exec().stream()
                .filter(container -> container.getImage().equals(System.getProperty(image)))
                .toList();
    }
}
