package io.microbatch.connect.calibration;

import static io.microbatch.connect.calibration.Samples.KEY;
import static io.microbatch.connect.calibration.Samples.connect;
import static io.microbatch.connect.calibration.Samples.file;
import static io.microbatch.connect.calibration.Samples.movedAside;
import static io.microbatch.connect.calibration.Samples.observation;
import static io.microbatch.connect.calibration.Samples.open;
import static io.microbatch.connect.calibration.Samples.stored;
import static io.microbatch.connect.pressure.PressureLevel.L3_LOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.StringTokenizer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file belongs to one task: every second opener is refused with the reason, and the first is not affected. */
class LockedFileTest {
    @TempDir
    Path directory;

    @Test
    void refusesASecondTaskOfTheSamePlugin() throws Exception {
        try (CalibrationStore zombie = open(directory)) {
            for (int i = 0; i < 3; i++) {
                assertLocked(() -> open(directory), Thread.currentThread().getName());
                zombie.append(observation(L3_LOW, i));
            }
        }
        open(directory).close();
        assertThat(stored(directory, L3_LOW)).hasSize(3);
    }

    @Test
    void refusesAnotherConnectionThroughSqliteAlone() throws Exception {
        open(directory).close();
        try (Connection other = connect(file(directory));
                Statement statement = other.createStatement()) {
            statement.executeUpdate("BEGIN EXCLUSIVE");
            assertLocked(() -> open(directory), file(directory).toString());
        }
        open(directory).close();
        assertThat(movedAside(directory)).isEmpty();
    }

    @Test
    void refusesAnotherProcessUntilItIsKilled() throws Exception {
        try (HolderProcess holder = HolderProcess.start(directory)) {
            assertThat(holder.said()).contains("durable=true");
            assertLocked(() -> open(directory), "process " + holder.pid());
            // The refusal released nothing: the holder's lock is still in place.
            assertLocked(() -> open(directory), "process " + holder.pid());
            holder.kill();
            open(directory).close();
            assertThat(movedAside(directory)).isEmpty();
            assertThat(stored(directory, L3_LOW)).containsExactly(observation(L3_LOW, 1));
        }
    }

    @Test
    void aRefusalInThisProcessKeepsTheLockAgainstOtherProcesses() throws Exception {
        try (CalibrationStore store = open(directory)) {
            assertLocked(() -> open(directory), "held by");
            try (HolderProcess other = HolderProcess.start(directory)) {
                assertThat(other.said()).contains("durable=false").contains("locked");
            }
            store.append(observation(L3_LOW, 1));
        }
    }

    @Test
    void refusesTheSamePluginFromAnotherDirectoryOfTheWorker() throws Exception {
        try (CalibrationStore store = open(directory);
                URLClassLoader otherPlugin = new URLClassLoader(classPath(), ClassLoader.getPlatformClassLoader())) {
            assertLocked(() -> openIn(otherPlugin), "held by");
            store.append(observation(L3_LOW, 1));
        }
        try (URLClassLoader otherPlugin = new URLClassLoader(classPath(), ClassLoader.getPlatformClassLoader())) {
            AutoCloseable there = openIn(otherPlugin);
            assertThat(there.getClass()).isNotEqualTo(CalibrationStore.class);
            assertLocked(() -> open(directory), "held by");
            closeIn(there);
        }
        open(directory).close();
        assertThat(stored(directory, L3_LOW)).hasSize(1);
    }

    /** Opens the store of another plugin, which has its own copy of SQLite. */
    private AutoCloseable openIn(ClassLoader plugin) throws Exception {
        try {
            Class<?> samples = plugin.loadClass(Samples.class.getName());
            Method open = samples.getDeclaredMethod("open", Path.class);
            open.setAccessible(true);
            return (AutoCloseable) open.invoke(null, directory);
        } catch (InvocationTargetException e) {
            throw (Exception) e.getCause();
        }
    }

    private static void closeIn(AutoCloseable store) throws ReflectiveOperationException {
        Method close = store.getClass().getDeclaredMethod("close");
        close.setAccessible(true);
        close.invoke(store);
    }

    private static void assertLocked(ThrowingCallable opening, String named) {
        assertThatThrownBy(opening).satisfies(e -> {
            // Compares by name, because another plugin's exception is of another class.
            Method fault = e.getClass().getDeclaredMethod("fault");
            fault.setAccessible(true);
            assertThat(fault.invoke(e)).hasToString(CalibrationFault.LOCKED.name());
            assertThat(e).hasMessageContaining(named).hasMessageContaining(fileName());
        });
    }

    private static String fileName() {
        return CalibrationPath.fileName(KEY.connector(), KEY.task());
    }

    private static URL[] classPath() throws MalformedURLException {
        List<URL> urls = new ArrayList<>();
        StringTokenizer entries = new StringTokenizer(System.getProperty("java.class.path"), File.pathSeparator);
        while (entries.hasMoreTokens()) {
            urls.add(Path.of(entries.nextToken()).toUri().toURL());
        }
        return urls.toArray(URL[]::new);
    }
}
