package io.microbatch.connect.release;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.testbed.InstalledProgram;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * A repository with what {@code build/release} reads before a build and before an upload, and with keys of its own. The
 * program {@code curl} of its commands sends nothing: it keeps the bundle that it was given. Used by one thread.
 */
final class ReleaseCheckout {

    static final String REPOSITORY = "github.com/microbatch/kafka-connect-microbatch";
    static final String TRANSFORMS = "kafka-connect-microbatch-transforms";
    static final String CONNECTOR = "kafka-connect-microbatch";

    private static final Path SCRIPT = Path.of("..", "build", "release");
    private static final String RELEASE = "target/release/";
    private static final String ARCHIVE = "microbatch-kafka-connect-microbatch-0.1.0.zip";
    private static final String BUNDLE = "central-bundle.zip";
    private static final String CURL =
            "#!/bin/sh\nfor each; do case $each in bundle=@*) cp \"${each#*@}\" target/sent.zip ;; esac; done\n";

    private final Path directory;
    private final Path keys;

    /** What a program has printed, and how it ended. */
    record Ended(int status, String output) {}

    /** Both directories are empty. The path of that for GnuPG is short: the name of a socket may not be long. */
    ReleaseCheckout(Path directory, Path keys) {
        this.directory = directory;
        this.keys = keys;
    }

    /** Commits a release of version 0.1.0 that the key Release may sign. */
    void create() throws IOException, InterruptedException {
        Files.createDirectories(directory.resolve("build"));
        Files.copy(SCRIPT, directory.resolve("build/release"));
        write(".gitignore", "target/\n");
        write(
                "pom.xml",
                "<project>\n<version>0.1.0</version>\n<project.repository>" + REPOSITORY
                        + "</project.repository>\n<release.date>2026-12-01</release.date>\n</project>\n");
        write("transforms/pom.xml", "<project>transforms</project>\n");
        write("connector/pom.xml", "<project>connector</project>\n");
        write("CHANGELOG.md", "## [0.1.0] - 2026-12-01\n");
        write("target/bin/curl", CURL);
        assertThat(directory.resolve("target/bin/curl").toFile().setExecutable(true))
                .isTrue();
        newKey("Release");
        publish("Release");
        git("init", "-q");
        commit();
        git("remote", "add", "origin", "https://" + REPOSITORY);
    }

    void endTheAgent() throws IOException, InterruptedException {
        if (InstalledProgram.exists("gpgconf")) {
            run("", List.of("gpgconf", "--kill", "gpg-agent"));
        }
    }

    /** Runs the script with a token of Maven Central, or with none if it is empty. */
    Ended script(String token, String... arguments) throws IOException, InterruptedException {
        return run(token, concat(List.of("bash", "build/release"), arguments));
    }

    /** What was sent to Maven Central. There is no such file if nothing was. */
    Path sent() {
        return directory.resolve("target/sent.zip");
    }

    /** What {@code build/release --key} leaves, signed with this key. */
    void release(String key) throws IOException, InterruptedException {
        Map<String, byte[]> archive = new LinkedHashMap<>();
        Map<String, byte[]> bundle = new LinkedHashMap<>();
        add(bundle, "kafka-connect-microbatch-parent", ".pom", read("pom.xml"), key);
        for (String module : List.of(TRANSFORMS, CONNECTOR)) {
            String home = module.equals(CONNECTOR) ? "connector" : "transforms";
            String library = ARCHIVE.replace(".zip", "/lib/" + module + "-0.1.0.jar");
            archive.put(library, bytes(module + ".jar"));
            add(bundle, module, ".pom", read(home + "/pom.xml"), key);
            for (String ending : List.of(".jar", "-sources.jar", "-javadoc.jar")) {
                add(bundle, module, ending, module + ending, key);
            }
        }
        zip(RELEASE + ARCHIVE, archive);
        bundle(bundle);
        write(RELEASE + "sbom.cdx.json", "{}");
        Ended sums = run("", List.of("sh", "-c", "cd target/release && sha512sum " + ARCHIVE + " sbom.cdx.json"));
        write(RELEASE + "SHA512SUMS", sums.output());
        sign(key, RELEASE + "SHA512SUMS");
        signArchive(key);
    }

    void signArchive(String key) throws IOException, InterruptedException {
        sign(key, RELEASE + ARCHIVE);
    }

    void changeArchive() throws IOException {
        write(RELEASE + ARCHIVE, "changed");
    }

    /** The files of the bundle for Maven Central, to be changed. */
    Map<String, byte[]> bundle() throws IOException {
        return entries(directory.resolve(RELEASE + BUNDLE));
    }

    void bundle(Map<String, byte[]> files) throws IOException {
        zip(RELEASE + BUNDLE, files);
    }

    /** Puts a file of a module into a bundle, with its signature and its sums. */
    void add(Map<String, byte[]> bundle, String module, String ending, String text, String key)
            throws IOException, InterruptedException {
        write("target/signed", text);
        sign(key, "target/signed");
        String path = path(module, ending);
        bundle.put(path, bytes(text));
        bundle.put(path + ".asc", Files.readAllBytes(directory.resolve("target/signed.asc")));
        bundle.put(path + ".md5", sum("MD5", text));
        bundle.put(path + ".sha1", sum("SHA-1", text));
    }

    /** Where Maven Central has a file of a module. */
    static String path(String module, String ending) {
        return "io/microbatch/" + module + "/0.1.0/" + module + "-0.1.0" + ending;
    }

    /** The content of each file in a zip file. */
    static Map<String, byte[]> entries(Path file) throws IOException {
        Map<String, byte[]> entries = new LinkedHashMap<>();
        try (ZipFile zip = new ZipFile(file.toFile())) {
            for (ZipEntry entry : zip.stream().toList()) {
                try (InputStream in = zip.getInputStream(entry)) {
                    entries.put(entry.getName(), in.readAllBytes());
                }
            }
        }
        return entries;
    }

    void newKey(String name) throws IOException, InterruptedException {
        gpg("--passphrase", "", "--quick-generate-key", name, "ed25519", "sign", "never");
    }

    /** Writes a public key into the file KEYS, and commits nothing. */
    void publish(String name) throws IOException, InterruptedException {
        write("KEYS", gpg("--armor", "--export", name));
    }

    /** Revokes the only key, with the certificate that GnuPG has made together with it. */
    void revoke() throws IOException, InterruptedException {
        List<Path> certificates;
        try (Stream<Path> files = Files.list(keys.resolve("openpgp-revocs.d"))) {
            certificates = files.toList();
        }
        assertThat(certificates).hasSize(1);
        // A colon before it keeps people from an import by mistake.
        write("target/revocation", Files.readString(certificates.get(0)).replace(":-----BEGIN", "-----BEGIN"));
        gpg("--import", "target/revocation");
    }

    /** Makes a key in the year 2020 that does not expire. */
    void newKeyOf2020(String name) throws IOException, InterruptedException {
        gpg(
                "--faked-system-time",
                "20200101T000000",
                "--passphrase",
                "",
                "--quick-generate-key",
                name,
                "ed25519",
                "sign",
                "never");
    }

    /** Lets such a key expire in that year. */
    void expireIn2020(String name) throws IOException, InterruptedException {
        String fingerprint = gpg("--with-colons", "--list-keys", name)
                .lines()
                .filter(line -> line.startsWith("fpr:"))
                .map(line -> line.split(":", -1)[9])
                .findFirst()
                .orElseThrow();
        gpg("--faked-system-time", "20200102T000000", "--quick-set-expire", fingerprint, "1d");
    }

    void commit() throws IOException, InterruptedException {
        git("add", ".");
        git("-c", "user.name=test", "-c", "user.email=test@localhost", "commit", "-q", "-m", "Release");
        git("tag", "-f", "v0.1.0");
    }

    void git(String... arguments) throws IOException, InterruptedException {
        Ended ended = run("", concat(List.of("git"), arguments));
        assertThat(ended.status()).as(ended.output()).isZero();
    }

    void write(String file, String text) throws IOException {
        Path path = directory.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }

    void delete(String file) throws IOException {
        Files.delete(directory.resolve(file));
    }

    private String read(String file) throws IOException {
        return Files.readString(directory.resolve(file));
    }

    private void sign(String key, String file) throws IOException, InterruptedException {
        gpg("--yes", "--local-user", key, "--armor", "--detach-sign", file);
    }

    private String gpg(String... arguments) throws IOException, InterruptedException {
        Ended ended = run("", concat(List.of("gpg", "--batch", "--quiet"), arguments));
        assertThat(ended.status()).as(ended.output()).isZero();
        return ended.output();
    }

    private void zip(String file, Map<String, byte[]> entries) throws IOException {
        Files.createDirectories(directory.resolve(file).getParent());
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(directory.resolve(file)))) {
            for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
                out.putNextEntry(new ZipEntry(entry.getKey()));
                out.write(entry.getValue());
                out.closeEntry();
            }
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] sum(String algorithm, String text) {
        try {
            byte[] digest = MessageDigest.getInstance(algorithm).digest(bytes(text));
            return bytes(HexFormat.of().formatHex(digest));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has " + algorithm, e);
        }
    }

    private static List<String> concat(List<String> head, String... rest) {
        return Stream.concat(head.stream(), List.of(rest).stream()).toList();
    }

    private Ended run(String token, List<String> command) throws IOException, InterruptedException {
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true);
        Map<String, String> environment = builder.environment();
        environment.put("GNUPGHOME", keys.toString());
        environment.put("GIT_CONFIG_NOSYSTEM", "1");
        environment.put("PATH", directory.resolve("target/bin") + File.pathSeparator + System.getenv("PATH"));
        environment.remove("MAVEN_GPG_PASSPHRASE");
        environment.remove("CENTRAL_TOKEN");
        if (!token.isEmpty()) {
            environment.put("CENTRAL_TOKEN", token);
        }
        Process process = builder.start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        return new Ended(process.exitValue(), output);
    }
}
