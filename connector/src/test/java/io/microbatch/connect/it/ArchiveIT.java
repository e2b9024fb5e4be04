package io.microbatch.connect.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.microbatch.testbed.InstalledProgram;
import io.microbatch.testbed.PluginArchive;
import io.microbatch.testbed.Ports;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The content of the archive that users install, and the files that it must not contain. */
class ArchiveIT {

    private static final Pattern FENCED = Pattern.compile("(?ms)^\\s*```.*?^\\s*```");

    /** The file of a link, without other hosts and without headings of the same page. */
    private static final Pattern LINK = Pattern.compile("\\]\\((?![a-z]+:|#)([^()\\s#]+)[^()\\s]*\\)");

    private static final List<String> OWN = List.of(
            "kafka-connect-microbatch-", "HdrHistogram-", "sqlite-jdbc-", "netty-", "jackson-core-", "postgresql-");

    /** Where the driver's jar has its native libraries. */
    private static final String LIBRARIES = "org/sqlite/native/";

    /** A jar may have further forms of its own classes for newer versions of Java. */
    private static final Pattern VERSIONED = Pattern.compile("^META-INF/versions/[0-9]+/");

    private static final Path ARCHIVE = Path.of(System.getProperty("plugin.archive"));

    @Test
    void containsNoClassThatTheWorkerProvides() throws IOException {
        List<String> jars = entries().keySet().stream()
                .filter(name -> name.endsWith(".jar"))
                .map(name -> name.substring(name.lastIndexOf('/') + 1))
                .toList();

        assertThat(jars).isNotEmpty();
        assertThat(jars)
                .allMatch(jar -> OWN.stream().anyMatch(jar::startsWith))
                .noneMatch(jar -> jar.contains("-native-") && !jar.contains("-native-unix-common"));
    }

    /** Two jars with the same class would decide by the order of the files which one is used. */
    @Test
    void containsNoClassTwiceAndNoneOfKafkaOrOfItsLogging() throws IOException {
        Map<String, Set<String>> jarsOf = new TreeMap<>();
        for (Map.Entry<String, byte[]> entry : entries().entrySet()) {
            if (entry.getKey().endsWith(".jar")) {
                for (String name : namesIn(entry.getValue())) {
                    if (name.endsWith(".class") && !name.endsWith("module-info.class")) {
                        jarsOf.computeIfAbsent(VERSIONED.matcher(name).replaceFirst(""), any -> new TreeSet<>())
                                .add(entry.getKey());
                    }
                }
            }
        }
        assertThat(jarsOf).hasSizeGreaterThan(1_000).allSatisfy((name, jars) -> {
            assertThat(jars).as(name).hasSize(1);
            assertThat(name).doesNotStartWith("org/apache/kafka/").doesNotStartWith("org/slf4j/");
        });
    }

    @Test
    void containsTheDatabaseLibraryOfEveryPlatform() throws IOException {
        assertThat(namesIn(driver().getValue()).stream()
                        .filter(name -> name.startsWith(LIBRARIES) && !name.endsWith("/"))
                        .map(name -> name.substring(LIBRARIES.length(), name.lastIndexOf('/'))))
                .contains("Linux/x86_64", "Linux/aarch64", "Linux-Musl/x86_64", "Linux-Musl/aarch64")
                .contains("Mac/x86_64", "Mac/aarch64", "Windows/x86_64", "Windows/aarch64");
    }

    /** No Java that runs on musl can be had from packages of Debian. So a program of C is linked with musl. */
    @Test
    @Tag("processes")
    void theMuslLibraryOfTheDatabaseRunsWithMusl(@TempDir Path directory)
            throws ClassNotFoundException, IOException, InterruptedException {
        String machine = System.getProperty("os.arch").replace("amd64", "x86_64");
        assumeTrue(System.getProperty("os.name").equals("Linux"), "musl is a C library of Linux");
        assumeTrue(InstalledProgram.exists("musl-gcc"), "no musl-gcc here: the library for musl is not tried");
        Map.Entry<String, byte[]> driver = driver();
        Path library = Files.write(
                directory.resolve("libsqlitejdbc.so"),
                content(driver.getValue(), LIBRARIES + "Linux-Musl/" + machine + "/libsqlitejdbc.so"));
        Path headers = Path.of(System.getProperty("java.home"), "include");
        Path program = directory.resolve("program");
        InstalledProgram.run(
                directory,
                "musl-gcc",
                "-I" + headers,
                "-I" + headers.resolve("linux"),
                "-o",
                program.toString(),
                Path.of("src/test/resources/calibration/musl.c")
                        .toAbsolutePath()
                        .toString());

        List<String> command = new ArrayList<>(List.of(program.toString(), library.toString()));
        command.addAll(methodsOfTheDriver());
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        String version = said.replace("SQLite ", "").strip();
        assertThat(driver.getKey()).as("the jar of SQLite's version").contains("/sqlite-jdbc-" + version + ".");
    }

    private static Map.Entry<String, byte[]> driver() throws IOException {
        return entries().entrySet().stream()
                .filter(entry -> entry.getKey().contains("/sqlite-jdbc-"))
                .findFirst()
                .orElseThrow();
    }

    /** The names that JNI gives to the functions of the driver's native methods. */
    private static List<String> methodsOfTheDriver() throws ClassNotFoundException {
        Class<?> type = Class.forName("org.sqlite.core.NativeDB", false, ArchiveIT.class.getClassLoader());
        List<String> names = Arrays.stream(type.getDeclaredMethods())
                .filter(method -> Modifier.isNative(method.getModifiers()))
                .map(Method::getName)
                .map(name -> "Java_org_sqlite_core_NativeDB_" + name.replace("_", "_1"))
                .toList();
        assertThat(names).hasSizeGreaterThan(30);
        return names;
    }

    @Test
    void containsLicenceAndManifest() throws IOException {
        assertThat(entries().keySet())
                .anyMatch(name -> name.endsWith("/manifest.json"))
                .anyMatch(name -> name.endsWith("/doc/LICENSE"));
    }

    /** Somebody who has the archive alone, on a machine without a network, reads its pages. */
    @Test
    void containsEachFileThatItsPagesLinkTo() throws IOException {
        Map<String, byte[]> entries = entries();
        String doc = entries.keySet().stream()
                .filter(name -> name.endsWith("/doc/README.md"))
                .findFirst()
                .orElseThrow()
                .replace("README.md", "");
        Set<String> broken = new TreeSet<>();
        int links = 0;
        for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
            if (!entry.getKey().startsWith(doc) || !entry.getKey().endsWith(".md")) {
                continue;
            }
            String text = FENCED.matcher(new String(entry.getValue(), StandardCharsets.UTF_8))
                    .replaceAll("");
            Matcher link = LINK.matcher(text);
            while (link.find()) {
                links++;
                String target = Path.of(entry.getKey())
                        .resolveSibling(link.group(1))
                        .normalize()
                        .toString();
                if (entries.keySet().stream().noneMatch(name -> name.equals(target) || name.startsWith(target + "/"))) {
                    broken.add(entry.getKey() + ": " + link.group(1));
                }
            }
        }
        assertThat(links).isGreaterThan(300);
        assertThat(broken).isEmpty();
    }

    @Test
    void declaresEveryPluginForTheServiceLoader() throws IOException {
        assertThat(services("org.apache.kafka.connect.source.SourceConnector")).containsExactly(Cluster.CONNECTOR);
        assertThat(services("org.apache.kafka.connect.rest.ConnectRestExtension"))
                .containsExactly("io.microbatch.connect.console.ConsoleExtension");
        String transforms = "io.microbatch.connect.transforms.";
        assertThat(services("org.apache.kafka.connect.storage.Converter"))
                .containsExactly("io.microbatch.connect.bulk.BulkConverter", transforms + "DeadLetterConverter");
        assertThat(services("org.apache.kafka.connect.storage.HeaderConverter"))
                .containsExactly(transforms + "DeadLetterConverter", transforms + "MixedHeaderConverter");
        assertThat(services("org.apache.kafka.connect.transforms.Transformation"))
                .containsExactly(
                        transforms + "ObservePressure",
                        transforms + "RouteByPressure",
                        transforms + "StampPressure",
                        transforms + "UnpackBulk");
    }

    /** The program begins without the worker's classes, and says that nobody answers. */
    @Test
    void containsAllThatTheAdviceOnTheCommandLineNeeds(@TempDir Path directory)
            throws IOException, InterruptedException {
        PluginArchive.unpack(ARCHIVE, directory);
        String libraries;
        try (Stream<Path> files = Files.walk(directory)) {
            libraries = files.filter(file -> file.endsWith("lib")).findFirst().orElseThrow() + "/*";
        }
        assertNobodyAnswers(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                libraries,
                "io.microbatch.connect.console.AdviseCommand",
                "http://127.0.0.1:" + Ports.free());
    }

    @Test
    void containsACommandThatAdvisesAndMigrates(@TempDir Path directory) throws IOException, InterruptedException {
        try (FileSystem zip = FileSystems.newFileSystem(ARCHIVE, Map.of("enablePosixFileAttributes", true));
                Stream<Path> files = Files.walk(zip.getPath("/"))) {
            assertThat(Files.getPosixFilePermissions(command(files))).contains(PosixFilePermission.OTHERS_EXECUTE);
        }
        PluginArchive.unpack(ARCHIVE, directory);
        String command;
        try (Stream<Path> files = Files.walk(directory)) {
            command = command(files).toString();
        }
        String nobody = "http://127.0.0.1:" + Ports.free();
        assertNobodyAnswers("sh", command, "advise", nobody);
        assertNobodyAnswers("sh", command, "migrate", "--rest", nobody, "--connector", "shop");
        Path link = Files.createSymbolicLink(directory.resolve("linked"), Path.of(command));
        Path other = Files.createDirectories(directory.resolve("other")).resolve("microbatch");
        assertNobodyAnswers(
                "sh",
                Files.createSymbolicLink(other, Path.of("..", link.getFileName().toString()))
                        .toString(),
                "advise",
                nobody);
    }

    private static Path command(Stream<Path> files) {
        return files.filter(file -> file.endsWith("bin/microbatch")).findFirst().orElseThrow();
    }

    private static void assertNobodyAnswers(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isEqualTo(1);
        assertThat(output).contains("does not answer").doesNotContain("Exception:");
    }

    private static List<String> services(String type) throws IOException {
        StringBuilder announced = new StringBuilder();
        for (Map.Entry<String, byte[]> entry : entries().entrySet()) {
            if (entry.getKey().contains("/kafka-connect-microbatch-")
                    && entry.getKey().endsWith(".jar")) {
                announced.append(service(entry.getValue(), type));
            }
        }
        return announced.toString().lines().sorted().toList();
    }

    private static List<String> namesIn(byte[] jar) throws IOException {
        List<String> names = new ArrayList<>();
        try (ZipInputStream in = new ZipInputStream(new ByteArrayInputStream(jar))) {
            for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
                names.add(entry.getName());
            }
        }
        return names;
    }

    private static String service(byte[] jar, String type) throws IOException {
        return new String(content(jar, "META-INF/services/" + type), StandardCharsets.UTF_8);
    }

    /** Empty if the jar has no file of this name. */
    private static byte[] content(byte[] jar, String name) throws IOException {
        try (ZipInputStream in = new ZipInputStream(new ByteArrayInputStream(jar))) {
            for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
                if (entry.getName().equals(name)) {
                    return in.readAllBytes();
                }
            }
        }
        return new byte[0];
    }

    private static Map<String, byte[]> entries() throws IOException {
        Map<String, byte[]> entries = new HashMap<>();
        try (ZipFile zip = new ZipFile(ARCHIVE.toFile())) {
            for (ZipEntry entry : zip.stream().toList()) {
                try (InputStream in = zip.getInputStream(entry)) {
                    entries.put(entry.getName(), in.readAllBytes());
                }
            }
        }
        return entries;
    }
}
