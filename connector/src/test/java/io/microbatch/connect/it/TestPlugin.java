package io.microbatch.connect.it;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;

/** Puts a class of the tests into a plugin directory of its own, as somebody else's plugin. */
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
}
