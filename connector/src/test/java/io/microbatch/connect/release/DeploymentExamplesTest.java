package io.microbatch.connect.release;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.microbatch.testbed.InstalledProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The image, the values for Helm and the Terraform files. What runs them is not there: these look at the files. */
class DeploymentExamplesTest {

    private static final Path DEPLOY = Path.of("..", "deploy").toAbsolutePath().normalize();
    private static final Path TERRAFORM = DEPLOY.resolve("terraform");

    /** A path in a Terraform file that begins at the module, and a key that it takes from the JSON file there. */
    private static final Pattern MODULE_FILE = Pattern.compile("\\$\\{path\\.module}/([^\"]+)\"");

    private static final Pattern KEY = Pattern.compile("\"(upstream\\.connector\\.[a-z.]+)\"");

    /** The values that the chart cp-kafka-connect 0.1.0 reads. */
    private static final Set<String> CHART = Set.of(
            "affinity",
            "configurationOverrides",
            "cp-schema-registry",
            "customEnv",
            "heapOptions",
            "image",
            "imagePullPolicy",
            "imagePullSecrets",
            "imageTag",
            "jmx",
            "kafka",
            "livenessProbe",
            "nodeSelector",
            "podAnnotations",
            "prometheus",
            "replicaCount",
            "resources",
            "secrets",
            "servicePort",
            "tolerations",
            "volumeMounts",
            "volumes");

    @ParameterizedTest
    @ValueSource(strings = {"image", "helm"})
    void imageIsPinnedCheckedAndNotOfRoot(String directory) throws IOException {
        List<String> lines = Files.readAllLines(DEPLOY.resolve(directory).resolve("Dockerfile"));
        List<String> images = lines.stream()
                .filter(line -> line.matches("ARG [A-Z]+_IMAGE=.*"))
                .toList();

        assertThat(images).hasSize(2).allMatch(line -> line.matches("ARG [A-Z_]+=[a-z/-]+:\\d[\\w.-]+"));
        assertThat(lines.stream().filter(line -> line.startsWith("FROM ")))
                .allMatch(line -> line.matches("FROM \\$\\{[A-Z_]+}( AS \\w+)?"));
        assertThat(lines).anyMatch(line -> line.contains("sha512sum -c"));
        assertThat(lines.stream().filter(line -> line.startsWith("USER ")).reduce((first, last) -> last))
                .hasValue("USER 1000");
    }

    /** A sum that is computed from the file that is copied is always right, and says nothing about its origin. */
    @ParameterizedTest
    @ValueSource(strings = {"image", "helm"})
    void takesTheSumOfAReleaseFromItsSignedList(String directory) throws IOException {
        String head = Files.readString(DEPLOY.resolve(directory).resolve("Dockerfile"))
                .split("\nARG ", 2)[0];

        assertThat(head)
                .containsSubsequence(
                        "gpg --verify SHA512SUMS.asc SHA512SUMS",
                        "SHA512=\"$(awk '/\\.zip$/ {print $1}' SHA512SUMS)\"",
                        "An archive of your own",
                        "$(sha512sum < deploy/" + directory + "/microbatch.zip");
    }

    @Test
    void valuesAreThoseOfTheChart() throws IOException {
        JsonNode values = new YAMLMapper()
                .readTree(DEPLOY.resolve("helm/cp-kafka-connect.yaml").toFile());
        Set<String> names = new TreeSet<>();
        values.fieldNames().forEachRemaining(names::add);

        assertThat(CHART).containsAll(names);
        assertThat(values.path("configurationOverrides").properties())
                .allMatch(each -> each.getValue().isTextual());
        assertThat(texts(values.path("volumes"), "name")).isEqualTo(texts(values.path("volumeMounts"), "name"));
        assertThat(values.at("/customEnv/KAFKA_OPTS").asText())
                .endsWith("=" + values.at("/volumeMounts/0/mountPath").asText());
    }

    /** The chart gives the worker CONNECT_ variables and no file with properties. */
    @Test
    void theWorkerOfTheChartFindsPluginsAndSecrets() throws IOException {
        JsonNode values = new YAMLMapper()
                .readTree(DEPLOY.resolve("helm/cp-kafka-connect.yaml").toFile());
        JsonNode worker = values.path("configurationOverrides");
        String image = Files.readString(DEPLOY.resolve("helm/Dockerfile"));

        assertThat(image)
                .containsPattern("(?m)^ARG CONNECT_IMAGE=confluentinc/cp-kafka-connect:")
                .doesNotContainPattern("(?m)^(CMD|ENTRYPOINT)");
        assertThat(group(Pattern.compile("(?m)^COPY --from=unpack /plugins (\\S+)$"), image))
                .hasSize(1)
                .isSubsetOf(worker.path("plugin.path").asText().split(","));
        assertThat(worker.path("config.providers").asText()).isEqualTo("file");
        assertThat(texts(values.path("volumeMounts"), "mountPath"))
                .contains(
                        worker.path("config.providers.file.param.allowed.paths").asText());
    }

    private static List<String> texts(JsonNode list, String field) {
        return list.findValuesAsText(field);
    }

    @ParameterizedTest
    @ValueSource(strings = {"connect-rest", "confluent-cloud"})
    void terraformTakesATestedConfiguration(String module) throws IOException {
        String text = Files.readString(TERRAFORM.resolve(module).resolve("main.tf"));
        List<String> files = group(MODULE_FILE, text);
        assertThat(files).hasSize(1);
        Path example = TERRAFORM.resolve(module).resolve(files.get(0)).normalize();
        JsonNode config = new ObjectMapper().readTree(example.toFile()).path("config");

        // ConfigExamplesIT posts this file to a real worker.
        assertThat(example.getParent().getFileName()).hasToString("config-examples");
        assertThat(group(KEY, text)).isNotEmpty().allMatch(config::has);
        assertThat(text)
                .doesNotContain(
                        config.path("upstream.connector.database.password").asText());
    }

    @ParameterizedTest
    @ValueSource(strings = {"connect-rest", "confluent-cloud"})
    void terraformPinsItsProviders(String module) throws IOException {
        String text = Files.readString(TERRAFORM.resolve(module).resolve("main.tf"));

        assertThat(group(Pattern.compile("version += \"([^\"]+)\""), text))
                .contains(">= 1.5")
                .filteredOn(version -> !version.equals(">= 1.5"))
                .hasSize(1)
                .allMatch(version -> version.matches("\\d+\\.\\d+\\.\\d+"));
        assertThat(group(Pattern.compile("variable \"(\\w*(?:password|secret|api_key)\\w*)\""), text))
                .isNotEmpty()
                .allMatch(name -> Pattern.compile("variable \"" + name + "\" \\{[^}]*sensitive += true")
                        .matcher(text)
                        .find());
    }

    /** Terraform's own parser. It needs the providers to check more, and they are in a registry. */
    @Test
    void terraformParses(@TempDir Path directory) {
        assumeTrue(InstalledProgram.exists("terraform"), "terraform is not installed");

        InstalledProgram.run(directory, "terraform", "fmt", "-check", "-diff", "-recursive", TERRAFORM.toString());
    }

    private static List<String> group(Pattern pattern, String text) {
        Stream<MatchResult> found = pattern.matcher(text).results();
        return found.map(each -> each.group(1)).toList();
    }
}
