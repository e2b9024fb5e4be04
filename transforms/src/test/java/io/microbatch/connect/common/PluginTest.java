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

    /** Whose constructor throws. */
    public static final class Throwing implements Runnable {

        /** Always fails. */
        public Throwing() {
            throw new IllegalStateException("no licence");
        }

        @Override
        public void run() {}
    }

    /** A class that needs one that is missing. */
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

    /** What ran of {@link Stranger}, in a class of its own, since a look at a field of that one would run it. */
    static final class Ran {
        private static final List<String> PARTS = new ArrayList<>();

        private Ran() {}
    }

    /** Not what is asked for. */
    public static final class Stranger {
        static {
            Ran.PARTS.add("static initializer");
        }

        /** As a worker would call it. */
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
    void saysWhatTheConstructorThrew() {
        assertThatThrownBy(() -> Plugin.create(Throwing.class.getName(), Runnable.class))
                .isInstanceOf(ConnectException.class)
                .hasMessageContaining("cannot be instantiated as a Runnable")
                .cause()
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("no licence");
    }

    @Test
    void saysWhichClassIsNotThereInOnePiece() {
        assertThatThrownBy(() -> Plugin.create(Torn.class.getName(), Runnable.class))
                .isInstanceOf(ConnectException.class)
                .hasMessageContainingAll(Torn.class.getName(), "not completely installed", "org/example/Registry");
    }

    @Test
    void saysWhichClassIsNotThereOrIsSomethingElse() {
        assertThatThrownBy(() -> Plugin.create("org.example.NoSuch", Runnable.class))
                .isInstanceOf(ConnectException.class)
                .hasMessageContaining("org.example.NoSuch is not installed");
        assertThatThrownBy(() -> Plugin.create("java.lang.String", Runnable.class))
                .isInstanceOf(ConnectException.class)
                .hasMessageContaining("is not a Runnable");
    }

    @Test
    void runsCodeUnderALoaderAndPutsTheOldOneBackEvenIfItThrows() throws IOException {
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
    void putsTheLoaderBackThatTheCodeChanged() throws IOException {
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
    void closesWhatCanBeClosed() {
        Closeable closeable = () -> {
            throw new IOException("planted");
        };
        assertThatThrownBy(() -> Plugin.close(closeable))
                .isInstanceOf(UncheckedIOException.class)
                .hasRootCauseMessage("planted");
        Plugin.close("a text, which has nothing to close");
    }
}
