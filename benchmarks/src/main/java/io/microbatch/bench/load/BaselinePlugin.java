package io.microbatch.bench.load;

import io.microbatch.bench.baseline.BaselineConnector;
import io.microbatch.bench.baseline.BaselineTask;
import io.microbatch.connect.upstream.synthetic.SyntheticEvent;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.apache.kafka.connect.source.SourceConnector;

/** Puts the baseline connector into a plugin directory of its own, with the codec of the events. */
public final class BaselinePlugin {

    private static final List<Class<?>> CLASSES =
            List.of(BaselineConnector.class, BaselineTask.class, SyntheticEvent.class, SyntheticEvent.Header.class);

    /** Whenever it is. The format knows no earlier time. */
    private static final LocalDateTime WRITTEN = LocalDateTime.of(1980, 1, 1, 0, 0);

    private BaselinePlugin() {}

    /** Adds it to a {@code plugin.path} entry. The same bytes every time. */
    public static void install(Path plugins) {
        try {
            Path directory = Files.createDirectories(plugins.resolve("baseline"));
            try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(directory.resolve("baseline.jar")))) {
                for (Class<?> type : CLASSES) {
                    add(jar, type);
                }
                jar.putNextEntry(entry("META-INF/services/" + SourceConnector.class.getName()));
                jar.write(BaselineConnector.class.getName().getBytes(StandardCharsets.UTF_8));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void add(JarOutputStream jar, Class<?> type) throws IOException {
        String name = type.getName().replace('.', '/') + ".class";
        jar.putNextEntry(entry(name));
        try (InputStream bytecode = type.getClassLoader().getResourceAsStream(name)) {
            bytecode.transferTo(jar);
        }
    }

    private static JarEntry entry(String name) {
        JarEntry entry = new JarEntry(name);
        entry.setTimeLocal(WRITTEN);
        return entry;
    }
}
