package io.microbatch.connect.upstream.hosted;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the names of the installed source connectors, for aliases and error messages. It asks the worker's plugin
 * loader, which has no public method for that. Without an answer it reads the service manifests next to this plugin and
 * loads no class. Stateless; any thread.
 */
final class InstalledConnectors {

    private static final Logger log = LoggerFactory.getLogger(InstalledConnectors.class);

    private static final String MANIFEST = "META-INF/services/org.apache.kafka.connect.source.SourceConnector";
    private static final String OWN_PACKAGE = "io.microbatch.connect.";
    private static final int DEEPEST = 3;
    private static final int MAX_JARS = 2_000;

    private InstalledConnectors() {}

    /** Returns the sorted names. Empty if they cannot be found or there are none. */
    static Optional<SortedSet<String>> find() {
        try {
            SortedSet<String> known = askLoader(InstalledConnectors.class.getClassLoader());
            if (!known.isEmpty()) {
                return Optional.of(known);
            }
            CodeSource source = InstalledConnectors.class.getProtectionDomain().getCodeSource();
            Path jar = Path.of(source.getLocation().toURI());
            Path pluginPath = pluginPathOf(jar);
            SortedSet<String> names = scan(pluginPath);
            return names.isEmpty() ? Optional.empty() : Optional.of(names);
        } catch (Exception e) {
            // The names are only an addition to a message.
            return Optional.empty();
        }
    }

    /** Whether the alias is the class's simple name, with or without "Connector" at its end. */
    static boolean isAlias(String alias, String className) {
        String simple = className.substring(Math.max(className.lastIndexOf('.'), className.lastIndexOf('$')) + 1);
        return simple.equals(alias) || simple.equals(alias + "Connector");
    }

    private static SortedSet<String> askLoader(ClassLoader own) {
        SortedSet<String> names = new TreeSet<>();
        try {
            ClassLoader worker = own.getParent();
            Field field = worker.getClass().getDeclaredField("pluginLoaders");
            field.setAccessible(true);
            for (Object versions : ((Map<?, ?>) field.get(worker)).values()) {
                Object plugin = ((SortedMap<?, ?>) versions).lastKey();
                Object type = plugin.getClass().getMethod("type").invoke(plugin);
                if (type.toString().equals("source")) {
                    names.add((String) plugin.getClass().getMethod("className").invoke(plugin));
                }
            }
        } catch (ReflectiveOperationException | RuntimeException e) {
            names.clear();
        }
        names.removeIf(name -> name.startsWith(OWN_PACKAGE));
        return names;
    }

    /** Our jar is in a plugin directory or in its lib, and the plugin path contains that directory. */
    private static Path pluginPathOf(Path jar) {
        Path directory = jar.getParent();
        boolean hubLayout = directory.getFileName().toString().equals("lib");
        return hubLayout ? directory.getParent().getParent() : directory.getParent();
    }

    static SortedSet<String> scan(Path pluginPath) throws IOException {
        SortedSet<String> names = new TreeSet<>();
        try (Stream<Path> files = Files.walk(pluginPath, DEEPEST)) {
            List<Path> jars = files.filter(FileSystems.getDefault().getPathMatcher("glob:**.jar")::matches)
                    .limit(MAX_JARS)
                    .toList();
            for (Path file : jars) {
                readManifest(file, names);
            }
        }
        names.removeIf(name -> name.startsWith(OWN_PACKAGE));
        return names;
    }

    private static void readManifest(Path file, SortedSet<String> names) {
        try (JarFile jar = new JarFile(file.toFile())) {
            ZipEntry entry = jar.getEntry(MANIFEST);
            if (entry != null) {
                try (InputStream in = jar.getInputStream(entry)) {
                    new String(in.readAllBytes(), StandardCharsets.UTF_8)
                            .lines()
                            .map(line -> line.contains("#") ? line.substring(0, line.indexOf('#')) : line)
                            .map(String::trim)
                            .filter(line -> !line.isEmpty())
                            .forEach(names::add);
                }
            }
        } catch (IOException e) {
            // One broken jar must not hide the others.
            log.debug("{} cannot be read as a jar", file, e);
        }
    }
}
