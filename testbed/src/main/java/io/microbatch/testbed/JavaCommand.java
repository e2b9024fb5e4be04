package io.microbatch.testbed;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/**
 * Builds the command lines of broker and worker, and writes their property files. The system property {@code
 * testbed.jvm.options} has options of all servers, separated by spaces.
 */
final class JavaCommand {

    private static final String LOGGING = "log4j2.xml";
    /** The logging of Kafka before 4.0. */
    private static final String OLDER_LOGGING = "log4j.properties";

    private static final String JVM_OPTIONS = "testbed.jvm.options";

    private JavaCommand() {}

    /** The options of all servers, and then these, which override them. */
    static List<String> withCommon(List<String> options) {
        String common = System.getProperty(JVM_OPTIONS, "").strip();
        List<String> all = new ArrayList<>(common.isEmpty() ? List.of() : List.of(common.split(" +")));
        all.addAll(options);
        return all;
    }

    /** The {@code java} and the class path of this home, and logging to standard output. */
    static List<String> of(
            TestbedHome home, Path directory, List<String> options, String main, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(home.java().resolve("bin").resolve("java").toString());
        command.add(loggingOption(directory));
        command.add("-Dlog4j.configuration=" + placed(OLDER_LOGGING, directory));
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
        return "-Dlog4j2.configurationFile=" + placed(LOGGING, directory);
    }

    private static URI placed(String resource, Path directory) {
        Path target = directory.resolve(resource);
        try (InputStream configuration = JavaCommand.class.getResourceAsStream(resource)) {
            Files.copy(configuration, target, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return target.toUri();
    }
}
