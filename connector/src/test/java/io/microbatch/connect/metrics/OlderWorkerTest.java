package io.microbatch.connect.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The plugin on a worker before 4.1, whose API has no PluginMetrics. */
class OlderWorkerTest {

    private static final String UNKNOWN_CLASS = "org.apache.kafka.common.metrics.PluginMetrics";

    /** The interface as of 4.0. */
    private static final String OLDER_CONTEXT = """
            package org.apache.kafka.connect.source;
            public interface SourceTaskContext {
                java.util.Map<String, String> configs();
                org.apache.kafka.connect.storage.OffsetStorageReader offsetStorageReader();
                default TransactionContext transactionContext() { return null; }
            }
            """;

    @TempDir
    private Path directory;

    /** Loads all classes again from the same class path, except those that the older API lacks. */
    private final class OlderApi extends URLClassLoader {

        OlderApi(URL... urls) {
            super(urls, ClassLoader.getPlatformClassLoader());
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            if (name.equals(UNKNOWN_CLASS)) {
                throw new ClassNotFoundException(name);
            }
            return super.findClass(name);
        }
    }

    private OlderApi olderApi() throws IOException {
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        Path source = directory.resolve("org/apache/kafka/connect/source/SourceTaskContext.java");
        Path ignored = Files.createDirectories(source.getParent());
        Path written = Files.writeString(source, OLDER_CONTEXT);
        int exit = ToolProvider.getSystemJavaCompiler()
                .run(null, null, null, "-d", directory.toString(), "-cp", classPath, "-proc:none", written.toString());
        assertThat(exit).isZero();
        List<URL> urls = new ArrayList<>(List.of(directory.toUri().toURL()));
        for (String entry : classPath.split(File.pathSeparator, -1)) {
            urls.add(url(entry));
        }
        return new OlderApi(urls.toArray(URL[]::new));
    }

    private static URL url(String entry) throws MalformedURLException {
        return Path.of(entry).toUri().toURL();
    }

    @Test
    void loadsTheTaskAndRegistersItsMetricsAsMBeans() throws Exception {
        try (OlderApi worker = olderApi()) {
            Class<?> task = worker.loadClass("io.microbatch.connect.MicrobatchSourceTask");
            // As a worker inspects a plugin: every class in a signature has to exist.
            assertThat(task.getDeclaredMethods()).isNotEmpty();
            // The contexts of hosted instances forward the newer call and have to load without it.
            for (String context : List.of("HostedTaskContext", "HostedConnectorContext")) {
                assertThat(Class.forName("io.microbatch.connect.upstream.hosted." + context, true, worker))
                        .isNotNull();
            }
            Class<?> probe = worker.loadClass(OlderWorkerProbe.class.getName());
            Callable<?> seen = (Callable<?>) probe.getDeclaredConstructor().newInstance();
            assertThat(seen.call()).isEqualTo(11.0);
        }
    }
}
