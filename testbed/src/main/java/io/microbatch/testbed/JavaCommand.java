package io.microbatch.testbed;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/** Builds the command lines of broker and worker, and writes their property files. */
final class JavaCommand {

    private static final String LOGGING = "log4j2.xml";

    private JavaCommand() {}

    /** The running JVM's own {@code java}, with the class path of the testbed, and logging to standard output. */
    static List<String> of(
            TestbedHome home, Path directory, List<String> options, String main, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add(loggingOption(directory));
        command.addAll(options);
        command.add("-cp");
        command.add(home.libs().resolve("*").toString());
        command.add(main);
        command.addAll(arguments);
        return command;
    }

    static Path properties(Path file, Map<String, String> values) {
        Properties properties = new Properties();
        properties.putAll(values);
        try (Writer writer = Files.newBufferedWriter(file)) {
            properties.store(writer, null);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return file;
    }

    static Path directory(Path parent, String name) {
        try {
            return Files.createDirectories(parent.toAbsolutePath().resolve(name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The option with which a server logs to standard output, configured by a file in this directory. */
    static String loggingOption(Path directory) {
        Path target = directory.resolve(LOGGING);
        try (InputStream configuration = JavaCommand.class.getResourceAsStream(LOGGING)) {
            Files.copy(configuration, target, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return "-Dlog4j2.configurationFile=" + target.toUri();
    }
}
