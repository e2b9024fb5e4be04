package io.microbatch.connect.it;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import org.apache.kafka.connect.source.SourceConnector;

/** Installs test classes into plugin directories of their own, like plugins of other vendors. */
final class TestPlugin {

    private TestPlugin() {}

    static void install(Path plugins, Class<?> plugin, Class<?> service) {
        String entry = plugin.getName().replace('.', '/') + ".class";
        try (InputStream bytecode = plugin.getClassLoader().getResourceAsStream(entry);
                JarOutputStream jar = new JarOutputStream(
                        Files.newOutputStream(Files.createDirectories(plugins.resolve(plugin.getSimpleName()))
                                .resolve("plugin.jar")))) {
            jar.putNextEntry(new JarEntry(entry));
            bytecode.transferTo(jar);
            jar.putNextEntry(new JarEntry("META-INF/services/" + service.getName()));
            jar.write(plugin.getName().getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Makes a plugin directory with classes that have the names of the archive's libraries and cannot be loaded. A
     * worker that mixed the libraries of plugins would fail.
     */
    static void installUnusableLibraries(Path plugins) {
        List<String> names = List.of(
                "io/netty/buffer/ByteBuf.class",
                "io/netty/channel/Channel.class",
                "io/netty/util/concurrent/EventExecutor.class",
                "com/fasterxml/jackson/core/JsonFactory.class");
        try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(
                Files.createDirectories(plugins.resolve("unusable-libraries")).resolve("libraries.jar")))) {
            for (String name : names) {
                jar.putNextEntry(new JarEntry(name));
                jar.write("not a class".getBytes(StandardCharsets.UTF_8));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Packs the classes of the connector's package into a plugin directory. */
    static void installPackageOf(Class<? extends SourceConnector> connector, Path plugins) {
        String folder = connector.getPackageName().replace('.', '/');
        try {
            Path classes = Path.of(connector
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            Path jar = Files.createDirectories(plugins.resolve(connector.getSimpleName()))
                    .resolve("plugin.jar");
            try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
                    Stream<Path> files = Files.list(classes.resolve(folder))) {
                for (Path file : files.sorted().toList()) {
                    out.putNextEntry(new JarEntry(folder + "/" + file.getFileName()));
                    try (InputStream in = Files.newInputStream(file)) {
                        in.transferTo(out);
                    }
                }
                out.putNextEntry(new JarEntry("META-INF/services/" + SourceConnector.class.getName()));
                out.write(connector.getName().getBytes(StandardCharsets.UTF_8));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
