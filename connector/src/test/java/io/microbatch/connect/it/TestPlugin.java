package io.microbatch.connect.it;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;

/** Puts a class of the tests into a plugin directory of its own, as somebody else's plugin. */
final class TestPlugin {

    private TestPlugin() {}

    /** Packs all classes of the plugin's package. */
    static void installPackage(Path plugins, Class<?> plugin, Class<?> service) {
        String folder = plugin.getPackageName().replace('.', '/');
        try {
            Path classes = Path.of(
                    plugin.getProtectionDomain().getCodeSource().getLocation().toURI());
            Path jar = Files.createDirectories(plugins.resolve(plugin.getSimpleName()))
                    .resolve("plugin.jar");
            try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
                    Stream<Path> files = Files.list(classes.resolve(folder))) {
                for (Path file : files.sorted().toList()) {
                    out.putNextEntry(new JarEntry(folder + "/" + file.getFileName()));
                    out.write(Files.readAllBytes(file));
                }
                out.putNextEntry(new JarEntry("META-INF/services/" + service.getName()));
                out.write(plugin.getName().getBytes(StandardCharsets.UTF_8));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

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
}
