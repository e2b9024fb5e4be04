package io.microbatch.connect.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What the packaged archive says about its parts: the bill of materials, the licences, and a single time. */
class SupplyChainIT {

    private static final String OWN_JAR = "kafka-connect-microbatch-";
    private static final Pattern ROW = Pattern.compile("^\\|(?<cells>.+)\\|$", Pattern.MULTILINE);
    private static final Pattern QUOTED = Pattern.compile("`([^`]+)`");

    /** The content of each entry by its name without the archive's directory, in the order of the archive. */
    private static final Map<String, byte[]> entries = new LinkedHashMap<>();

    private static final List<LocalDateTime> times = new ArrayList<>();

    @BeforeAll
    static void read() throws IOException {
        try (ZipFile zip =
                new ZipFile(Path.of(System.getProperty("plugin.archive")).toFile())) {
            for (ZipEntry entry : zip.stream().toList()) {
                times.add(entry.getTimeLocal());
                try (InputStream in = zip.getInputStream(entry)) {
                    String name = entry.getName();
                    entries.put(name.substring(name.indexOf('/') + 1), in.readAllBytes());
                }
            }
        }
    }

    private static JsonNode bill() throws IOException {
        byte[] bill = entries.get("doc/sbom.cdx.json");
        assertThat(bill)
                .as("the archive's bill of materials, which Maven does not make with the option -o")
                .isNotNull();
        return new ObjectMapper().readTree(bill);
    }

    @Test
    void billOfMaterialsListsExactlyTheJars() throws IOException {
        JsonNode bill = bill();
        Map<String, String> listed = new TreeMap<>();
        for (JsonNode part : bill.path("components")) {
            listed.put(jarName(part), sha256Of(part));
        }
        Map<String, String> packaged = new TreeMap<>();
        jars().forEach((name, bytes) -> packaged.put(name, sha256(bytes)));
        // The bill is of this jar, which it names and does not hash.
        String subject = jarName(bill.path("metadata").path("component"));

        assertThat(packaged).containsKey(subject);
        packaged.remove(subject);
        assertThat(listed).isEqualTo(packaged);
        assertThat(bill.path("bomFormat").asText()).isEqualTo("CycloneDX");
    }

    @Test
    void namesALicenceOfEachPart() throws IOException {
        JsonNode bill = bill();

        assertThat(bill.path("components"))
                .isNotEmpty()
                .allSatisfy(part -> assertThat(part.path("licenses"))
                        .as(part.path("purl").asText())
                        .isNotEmpty());
    }

    @Test
    void thirdPartyPageHasARowForEachJar() {
        Set<String> others = jars().keySet().stream()
                .filter(jar -> !jar.startsWith(OWN_JAR))
                .collect(Collectors.toCollection(TreeSet::new));

        assertThat(rows().stream().filter(row -> row.length == 3).map(row -> quoted(row[0])))
                .allMatch(names -> names.size() == 1)
                .flatMap(names -> names)
                .containsExactlyInAnyOrderElementsOf(others);
    }

    @Test
    void eachNamedLicenceTextIsThere() throws IOException {
        Map<String, byte[]> jars = jars();
        Map<String, Set<String>> contents = new HashMap<>();
        for (String[] row : rows()) {
            String jar = quoted(row[row.length == 3 ? 0 : 1]).get(0);
            assertThat(jars).as("the jar of a row").containsKey(jar);
            Set<String> inside = contents.computeIfAbsent(jar, name -> names(jars.get(name)));
            for (String text : quoted(row[row.length - 1])) {
                if (text.startsWith("META-INF/")) {
                    assertThat(inside).as(jar).contains(text);
                } else {
                    assertThat(entries).as(jar).containsKey("doc/" + text);
                }
            }
        }
    }

    @Test
    void ownJarsHaveLicenceAndNotice() {
        Map<String, byte[]> own = jars();
        own.keySet().removeIf(name -> !name.startsWith(OWN_JAR));

        assertThat(own)
                .hasSize(2)
                .allSatisfy((name, jar) -> assertThat(names(jar)).contains("META-INF/LICENSE", "META-INF/NOTICE"));
        assertThat(entries).containsKeys("doc/LICENSE", "doc/NOTICE", "doc/SECURITY.md");
    }

    /** Finds what makes any two builds differ. {@code build/reproducible} compares two builds. */
    @Test
    void hasASingleTime() throws IOException {
        JsonNode manifest = new ObjectMapper().readTree(entries.get("manifest.json"));
        LocalDateTime time = LocalDateTime.parse(manifest.path("release_date").asText() + "T00:00:00");

        assertThat(times).isNotEmpty().containsOnly(time);
    }

    @Test
    void manifestNamesTheKindsOfPluginsAndTheProject() throws IOException {
        JsonNode manifest = new ObjectMapper().readTree(entries.get("manifest.json"));
        String project = manifest.path("source_url").asText();

        assertThat(manifest.path("component_types").toString()).isEqualTo("[\"source\",\"transform\",\"converter\"]");
        assertThat(project).startsWith("https://github.com/");
        assertThat(manifest.path("documentation_url").asText()).startsWith(project);
        assertThat(manifest.path("support").path("url").asText()).isEqualTo(project + "/issues");
    }

    private static Map<String, byte[]> jars() {
        Map<String, byte[]> jars = new LinkedHashMap<>();
        entries.forEach((name, bytes) -> {
            if (name.startsWith("lib/") && name.endsWith(".jar")) {
                jars.put(name.substring("lib/".length()), bytes);
            }
        });
        assertThat(jars).isNotEmpty();
        return jars;
    }

    /** The cells of the rows of both tables: of three cells for a jar, of four for a part that is inside a jar. */
    private static List<String[]> rows() {
        String page = new String(entries.get("doc/THIRD-PARTY.md"), StandardCharsets.UTF_8);
        List<String[]> rows = ROW.matcher(page)
                .results()
                .map(row -> row.group(1).strip().split(" \\| ", -1))
                .filter(cells ->
                        cells.length > 2 && !quoted(String.join(" ", cells)).isEmpty())
                .toList();
        assertThat(rows).isNotEmpty();
        return rows;
    }

    private static List<String> quoted(String cell) {
        return QUOTED.matcher(cell)
                .results()
                .map((MatchResult found) -> found.group(1))
                .toList();
    }

    private static String jarName(JsonNode part) {
        return part.path("name").asText() + "-" + part.path("version").asText() + ".jar";
    }

    private static String sha256Of(JsonNode part) {
        for (JsonNode hash : part.path("hashes")) {
            if (hash.path("alg").asText().equals("SHA-256")) {
                return hash.path("content").asText();
            }
        }
        return "none";
    }

    private static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    private static Set<String> names(byte[] jar) {
        Set<String> names = new TreeSet<>();
        try (ZipInputStream in = new ZipInputStream(new ByteArrayInputStream(jar))) {
            for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
                names.add(entry.getName());
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        return names;
    }
}
