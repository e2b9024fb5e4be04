package io.microbatch.connect.upstream.hosted;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.debezium.connector.postgresql.PostgresConnector;
import io.microbatch.connect.upstream.hosted.HostedSample.AbstractSample;
import io.microbatch.connect.upstream.hosted.HostedSample.SampleConnector;
import io.microbatch.connect.upstream.hosted.HostedSample.SampleTask;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.source.SourceConnector;
import org.junit.jupiter.api.Test;

class HostedClassesTest {

    private static final ClassLoader LOADER = HostedClassesTest.class.getClassLoader();

    @Test
    void makesAConnectorAndATaskByName() {
        assertThat(HostedClasses.newConnector(SampleConnector.class.getName())).isInstanceOf(SampleConnector.class);
        assertThat(HostedClasses.newTask(SampleTask.class.getName(), LOADER)).isInstanceOf(SampleTask.class);
        assertThat(HostedClasses.loaderOf(SampleConnector.class.getName())).isSameAs(LOADER);
    }

    @Test
    void saysWhatToDoWhenAClassIsNotInstalled() {
        assertThatThrownBy(() -> HostedClasses.newConnector("org.example.NoSuch"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("org.example.NoSuch is not installed")
                .hasMessageContaining("plugin.path")
                .hasMessageContaining("restart the worker");
        assertThatThrownBy(() -> HostedClasses.loaderOf("org.example.NoSuch"))
                .isInstanceOf(ConnectException.class)
                .hasMessageContaining("org.example.NoSuch is not installed");
        assertThatThrownBy(() -> HostedClasses.newTask("org.example.NoSuch", LOADER))
                .isInstanceOf(ConnectException.class)
                .hasMessageContaining("org.example.NoSuch cannot be loaded");
    }

    @Test
    void refusesAClassThatIsNoSourceConnector() {
        assertThatThrownBy(() -> HostedClasses.newConnector(SampleTask.class.getName()))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("is not a source connector");
        assertThatThrownBy(() -> HostedClasses.newTask(SampleConnector.class.getName(), LOADER))
                .isInstanceOf(ConnectException.class)
                .hasMessageContaining("is not a SourceTask");
    }

    @Test
    void refusesAClassThatCannotBeInstantiated() {
        assertThatThrownBy(() -> HostedClasses.newConnector(AbstractSample.class.getName()))
                .isInstanceOf(ConnectException.class)
                .hasMessageContaining("cannot be instantiated as a SourceConnector");
    }

    /** What ran of {@link Stranger}, in a class of its own, since a look at a field of that one would run it. */
    static final class Ran {
        private static final List<String> PARTS = new ArrayList<>();

        private Ran() {}
    }

    /** Neither a connector nor a task. */
    public static final class Stranger {
        static {
            Ran.PARTS.add("static initializer");
        }

        /** As a host would call it. */
        public Stranger() {
            Ran.PARTS.add("constructor");
        }
    }

    @Test
    void runsNoCodeOfAClassThatIsNeitherConnectorNorTask() {
        String stranger = HostedClassesTest.class.getName() + "$Stranger";
        assertThatThrownBy(() -> HostedClasses.newConnector(stranger)).isInstanceOf(ConfigException.class);
        assertThat(Ran.PARTS).as("for the connector").isEmpty();
        assertThatThrownBy(() -> HostedClasses.newTask(stranger, LOADER)).isInstanceOf(ConnectException.class);
        assertThat(Ran.PARTS).as("for the task").isEmpty();
        assertThatThrownBy(() -> HostedClasses.loaderOf(stranger)).isInstanceOf(ConnectException.class);
        assertThat(Ran.PARTS).as("for the loader").isEmpty();
    }

    /** A connector with the simple name of another. */
    static final class Other {

        private Other() {}

        /** It. */
        public abstract static class SampleConnector extends SourceConnector {}
    }

    private static Class<?> found(String name, Class<?>... installed) {
        SortedSet<String> names = new TreeSet<>();
        for (Class<?> each : installed) {
            names.add(each.getName());
        }
        return HostedClasses.connectorClass(name, LOADER, () -> Optional.of(names));
    }

    @Test
    void findsAConnectorByItsSimpleNameAndByThatWithoutConnector() {
        assertThat(found("SampleConnector", SampleConnector.class, PostgresConnector.class))
                .isSameAs(SampleConnector.class);
        assertThat(found("Sample", SampleConnector.class, PostgresConnector.class))
                .isSameAs(SampleConnector.class);
        assertThat(found("Postgres", SampleConnector.class, PostgresConnector.class))
                .isSameAs(PostgresConnector.class);
    }

    @Test
    void takesTheClassThatTheWorkersLoaderKnowsByAnAlias() {
        ClassLoader worker = new ClassLoader(LOADER) {
            @Override
            public Class<?> loadClass(String name) throws ClassNotFoundException {
                return super.loadClass(name.equals("Alias") ? PostgresConnector.class.getName() : name);
            }
        };
        assertThat(HostedClasses.connectorClass("Alias", worker, Optional::empty))
                .isSameAs(PostgresConnector.class);
    }

    @Test
    void namesTheKeyAndTheConnectorsThatAnAmbiguousNameMayMean() {
        assertThatThrownBy(() -> found("Sample", SampleConnector.class, Other.SampleConnector.class))
                .isInstanceOf(ConfigException.class)
                .hasMessageContainingAll(
                        "upstream.connector.class",
                        "Sample is ambiguous",
                        SampleConnector.class.getName(),
                        Other.SampleConnector.class.getName());
    }

    @Test
    void namesTheKeyAndWhatIsInstalledWhereANameMeansNothing() {
        for (String name : List.of("Ample", "sample", "SampleConnectorConnector", "Connector", "")) {
            assertThatThrownBy(() -> found(name, SampleConnector.class, PostgresConnector.class))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContainingAll(
                            "upstream.connector.class",
                            "not installed",
                            SampleConnector.class.getName(),
                            PostgresConnector.class.getName());
        }
    }

    /** A task that needs a class that is missing. */
    public static final class TornTask extends SampleTask {
        static {
            tear();
        }

        private static void tear() {
            throw new NoClassDefFoundError("org/example/Driver");
        }
    }

    @Test
    void saysThatATaskIsNotInstalledInOnePiece() {
        assertThatThrownBy(() -> HostedClasses.newTask(TornTask.class.getName(), LOADER))
                .isInstanceOf(ConnectException.class)
                .hasMessageContainingAll(TornTask.class.getName(), "cannot be loaded")
                .hasRootCauseMessage("org/example/Driver");
    }
}
