package io.microbatch.connect.common;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.connect.errors.ConnectException;
import org.junit.jupiter.api.Test;

class PluginTest {

    /** A class whose constructor throws. */
    public static final class Throwing implements Runnable {

        /** Always throws. */
        public Throwing() {
            throw new IllegalStateException("no licence");
        }

        @Override
        public void run() {}
    }

    /** A class that needs a missing class. */
    public static final class Torn implements Runnable {

        static {
            tear();
        }

        private static void tear() {
            throw new NoClassDefFoundError("org/example/Registry");
        }

        @Override
        public void run() {}
    }

    /**
     * Records the code of {@link Stranger} that ran. It is a class of its own, so that reading it does not initialize
     * that one.
     */
    static final class Ran {
        private static final List<String> PARTS = new ArrayList<>();

        private Ran() {}
    }

    /** A class of another type. */
    public static final class Stranger {
        static {
            Ran.PARTS.add("static initializer");
        }

        /** For a worker. */
        public Stranger() {
            Ran.PARTS.add("constructor");
        }
    }

    @Test
    void runsNoCodeOfAClassOfAnotherType() {
        assertThatThrownBy(() -> Plugin.create(PluginTest.class.getName() + "$Stranger", Runnable.class))
                .isInstanceOf(ConnectException.class);
        assertThat(Ran.PARTS).as("by its name").isEmpty();
        assertThatThrownBy(() -> Plugin.instantiate(Stranger.class, Runnable.class))
                .isInstanceOf(ConnectException.class);
        assertThat(Ran.PARTS).as("by its class").isEmpty();
    }

    @Test
    void reportsTheExceptionOfTheConstructor() {
        assertThatThrownBy(() -> Plugin.create(Throwing.class.getName(), Runnable.class))
                .isInstanceOf(ConnectException.class)
                .hasMessageContaining("cannot be instantiated as a Runnable")
                .cause()
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("no licence");
    }

    @Test
    void namesAClassThatIsNotCompletelyInstalled() {
        assertThatThrownBy(() -> Plugin.create(Torn.class.getName(), Runnable.class))
                .isInstanceOf(ConnectException.class)
                .hasMessageContainingAll(Torn.class.getName(), "not completely installed", "org/example/Registry");
    }

    @Test
    void namesAClassThatIsNotInstalledOrOfAnotherType() {
        assertThatThrownBy(() -> Plugin.create("org.example.NoSuch", Runnable.class))
                .isInstanceOf(ConnectException.class)
                .hasMessageContaining("org.example.NoSuch is not installed");
        assertThatThrownBy(() -> Plugin.create("java.lang.String", Runnable.class))
                .isInstanceOf(ConnectException.class)
                .hasMessageContaining("is not a Runnable");
    }

    @Test
    void runsCodeUnderALoaderAndRestoresTheFormerOneAlsoOnAnException() throws IOException {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (URLClassLoader own = new URLClassLoader(new URL[0], before)) {
            assertThat(Plugin.<ClassLoader>under(own, thread::getContextClassLoader))
                    .isSameAs(own);
            assertThatThrownBy(() -> Plugin.under(own, () -> {
                        throw new IllegalStateException();
                    }))
                    .isInstanceOf(IllegalStateException.class);
            assertThat(thread.getContextClassLoader()).isSameAs(before);
        }
    }

    @Test
    void restoresALoaderThatTheCodeChanged() throws IOException {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (URLClassLoader other = new URLClassLoader(new URL[0], before)) {
            int answer = Plugin.under(before, () -> {
                thread.setContextClassLoader(other);
                return 42;
            });
            assertThat(answer).isEqualTo(42);
            assertThat(thread.getContextClassLoader()).isSameAs(before);
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    @Test
    void closesAPluginThatIsCloseable() {
        Closeable closeable = () -> {
            throw new IOException("planted");
        };
        assertThatThrownBy(() -> Plugin.close(closeable))
                .isInstanceOf(UncheckedIOException.class)
                .hasRootCauseMessage("planted");
        Plugin.close("a text, which has nothing to close");
    }
}
