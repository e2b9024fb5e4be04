package io.microbatch.connect.transforms;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.util.Iterator;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.connect.source.SourceRecord;
import org.apache.kafka.connect.transforms.Transformation;
import org.junit.jupiter.api.Test;

/** A worker before Connect 4.1 has no plugin metrics: it cannot load one class, but loads all others. */
class OlderWorkerTest {

    private static final Set<String> ABSENT =
            Set.of("org.apache.kafka.common.metrics.Monitorable", "org.apache.kafka.common.metrics.PluginMetrics");

    /** Defines the plugin's classes itself, as a plugin class loader does, and has no plugin metrics. */
    private static final class OlderLoader extends ClassLoader {

        OlderLoader() {
            super(OlderWorkerTest.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (ABSENT.contains(name)) {
                throw new ClassNotFoundException(name);
            }
            if (!name.startsWith("io.microbatch.")) {
                return super.loadClass(name, resolve);
            }
            Class<?> known = findLoadedClass(name);
            if (known != null) {
                return known;
            }
            try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
                byte[] bytes = in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    @Test
    void findsEveryTransformExceptObservePressure() {
        Set<String> found = new TreeSet<>();
        Set<String> failed = new TreeSet<>();
        @SuppressWarnings("rawtypes")
        Iterator<Transformation> announced =
                ServiceLoader.load(Transformation.class, new OlderLoader()).iterator();
        // Connect's scanner also skips a class that cannot be linked.
        while (hasNext(announced, failed)) {
            Transformation<?> transform = announced.next();
            if (transform.getClass().getName().startsWith("io.microbatch.")) {
                found.add(transform.getClass().getSimpleName());
                run(transform);
            }
        }
        assertThat(found).containsExactly("RouteByPressure", "StampPressure", "UnpackBulk");
        assertThat(failed).singleElement().asString().contains("Monitorable");
    }

    private static boolean hasNext(Iterator<?> announced, Set<String> failed) {
        while (true) {
            try {
                return announced.hasNext();
            } catch (NoClassDefFoundError e) {
                assertThat(failed.add(e.getMessage())).as("moves on").isTrue();
            }
        }
    }

    @SuppressWarnings("unchecked")
    private static void run(Transformation<?> transform) {
        transform.configure(Map.of());
        SourceRecord record = Records.source(null, null, null, null);
        assertThat(((Transformation<SourceRecord>) transform).apply(record).sourceOffset())
                .isEqualTo(record.sourceOffset());
    }
}
