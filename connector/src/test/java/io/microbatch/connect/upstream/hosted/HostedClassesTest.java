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
    void createsAConnectorAndATaskByName() {
        assertThat(HostedClasses.newConnector(SampleConnector.class.getName())).isInstanceOf(SampleConnector.class);
        assertThat(HostedClasses.newTask(SampleTask.class.getName(), LOADER)).isInstanceOf(SampleTask.class);
        assertThat(HostedClasses.loaderOf(SampleConnector.class.getName())).isSameAs(LOADER);
    }

    @Test
    void namesTheRemedyForAMissingClass() {
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

    /**
     * The static code of {@link Stranger} that has run. In a class of its own, because reading a field of Stranger runs
     * it.
     */
    static final class Ran {
        private static final List<String> PARTS = new ArrayList<>();

        private Ran() {}
    }

    /** A class that is neither a connector nor a task. */
    public static final class Stranger {
        static {
            Ran.PARTS.add("static initializer");
        }

        /** Called by reflection. */
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

    /** Encloses a connector with the simple name of another one. */
    static final class Other {

        private Other() {}

        /** The other connector. */
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
    void findsAConnectorByItsSimpleNameWithAndWithoutTheSuffix() {
        assertThat(found("SampleConnector", SampleConnector.class, PostgresConnector.class))
                .isSameAs(SampleConnector.class);
        assertThat(found("Sample", SampleConnector.class, PostgresConnector.class))
                .isSameAs(SampleConnector.class);
        assertThat(found("Postgres", SampleConnector.class, PostgresConnector.class))
                .isSameAs(PostgresConnector.class);
    }

    @Test
    void usesTheClassThatTheWorkersLoaderFindsByAnAlias() {
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
    void namesTheKeyAndTheCandidatesOfAnAmbiguousName() {
        assertThatThrownBy(() -> found("Sample", SampleConnector.class, Other.SampleConnector.class))
                .isInstanceOf(ConfigException.class)
                .hasMessageContainingAll(
                        "upstream.connector.class",
                        "Sample is ambiguous",
                        SampleConnector.class.getName(),
                        Other.SampleConnector.class.getName());
    }

    @Test
    void namesTheKeyAndTheInstalledConnectorsForAnUnknownName() {
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

    /** A task that needs a missing class. */
    public static final class IncompleteTask extends SampleTask {
        static {
            loadMissingClass();
        }

        private static void loadMissingClass() {
            throw new NoClassDefFoundError("org/example/Driver");
        }
    }

    @Test
    void reportsAnIncompleteInstallationOfATask() {
        assertThatThrownBy(() -> HostedClasses.newTask(IncompleteTask.class.getName(), LOADER))
                .isInstanceOf(ConnectException.class)
                .hasMessageContainingAll(IncompleteTask.class.getName(), "cannot be loaded")
                .hasRootCauseMessage("org/example/Driver");
    }
}
