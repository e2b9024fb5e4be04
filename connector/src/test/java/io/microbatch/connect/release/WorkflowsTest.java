package io.microbatch.connect.release;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The workflow files: what they call exists, what they use is pinned, and what they may do is the least. */
class WorkflowsTest {

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern PINNED_ACTION = Pattern.compile("[\\w-]+/[\\w/-]+@[0-9a-f]{40}");
    private static final Pattern PINNED_IMAGE = Pattern.compile("[a-z/-]+:\\d+(\\.\\d+)+");

    /** A program of this repository, at the beginning of a command or after one of sudo, if and the like. */
    private static final Pattern SCRIPT =
            Pattern.compile("(?:^|[\\s;&|(])((?:\\.ci|build|benchmarks|docker)/[\\w./-]+)((?: +[\\w./=-]+)*)");

    /** What somebody else can choose: a title, a branch. It is a program when it is pasted into a command. */
    private static final Pattern CHOSEN_BY_OTHERS = Pattern.compile("\\$\\{\\{");

    /** The one job that may do more than read, and what it may do. */
    private static final Map<String, String> MAY_WRITE = Map.of("upload", "{\"contents\":\"write\"}");

    /** What runs programs that others wrote: Maven with its plugins, and every script but the upload. */
    private static final Pattern BUILD =
            Pattern.compile("\\bmvn\\b|(?:\\.ci|benchmarks|docker)/\\w|build/(?!release --upload\\b)\\w");

    /** The jobs of .ci/run that start PostgreSQL or a Docker daemon. */
    private static final Pattern STARTS_POSTGRES = Pattern.compile("\\.ci/run (?:tests|faults|containers)");

    /** What can publish in the name of the project. The key alone cannot: it signs. */
    private static final Pattern TOKEN = Pattern.compile("CENTRAL_TOKEN|github\\.token|GITHUB_TOKEN");

    /** The kinds of dependencies that Dependabot is to look for, and what names them in a directory. */
    private static final Map<String, String> DEPENDENCIES = Map.of(
            "github-actions", ".github/workflows",
            "maven", "pom.xml",
            "docker", "Dockerfile",
            "docker-compose", "compose.yaml");

    static List<Path> workflows() throws IOException {
        try (Stream<Path> files = Files.list(ROOT.resolve(".github/workflows"))) {
            return files.sorted().toList();
        }
    }

    @Test
    void areTheThreeThatTheDocumentationNames() throws IOException {
        assertThat(workflows())
                .extracting(file -> file.getFileName().toString())
                .containsExactly("build.yml", "matrix.yml", "release.yml");
    }

    @ParameterizedTest
    @MethodSource("workflows")
    void startOnEventsThatAreSafe(Path file) throws IOException {
        JsonNode events = read(file).path("on");

        // This event runs the code of a stranger with the rights of the repository.
        assertThat(names(events)).isNotEmpty().doesNotContain("pull_request_target", "workflow_run");
    }

    @ParameterizedTest
    @MethodSource("workflows")
    void mayDoTheLeast(Path file) throws IOException {
        JsonNode workflow = read(file);

        assertThat(workflow.path("permissions").toString()).isEqualTo("{}");
        for (String name : names(workflow.path("jobs"))) {
            assertThat(workflow.path("jobs").path(name).path("permissions").toString())
                    .as(name)
                    .isEqualTo(MAY_WRITE.getOrDefault(name, "{\"contents\":\"read\"}"));
        }
    }

    /** A program of a build can change what later steps of its job run, and read what they are given. */
    @ParameterizedTest
    @MethodSource("workflows")
    void giveNoTokenToAJobThatBuilds(Path file) throws IOException {
        JsonNode jobs = read(file).path("jobs");
        for (String name : names(jobs)) {
            JsonNode job = jobs.path(name);
            boolean canPublish = TOKEN.matcher(job.toString()).find()
                    || job.path("permissions").toString().contains("write");
            assertThat(canPublish && BUILD.matcher(job.path("steps").toString()).find())
                    .as(name)
                    .isFalse();
            // The environment of the key has no token, and that of the token no key.
            assertThat(job.path("environment").asText("none"))
                    .as(name)
                    .isEqualTo(canPublish ? "release" : name.equals("sign") ? "signing" : "none");
        }
    }

    @Test
    void publishWhatTheOtherMachineHasBuiltTooFromACheckoutOfTheirOwn() throws IOException {
        JsonNode upload =
                read(ROOT.resolve(".github/workflows/release.yml")).path("jobs").path("upload");

        assertThat(upload.path("needs").toString()).contains("\"check\"");
        assertThat(upload.path("steps").toString())
                .containsSubsequence(
                        "actions/checkout@",
                        "actions/download-artifact@",
                        "needs.check.outputs.sums",
                        "diff - target/release/SHA512SUMS",
                        "build/release --upload",
                        "gh release create");
    }

    /** Each commit of the main branch is checked to the end, and no release is interrupted. */
    @Test
    void areCancelledForPullRequestsOnly() throws IOException {
        JsonNode build = read(ROOT.resolve(".github/workflows/build.yml")).path("concurrency");
        JsonNode release = read(ROOT.resolve(".github/workflows/release.yml")).path("concurrency");

        assertThat(build.path("group").asText()).contains("github.ref || github.sha");
        assertThat(build.path("cancel-in-progress").asText()).isEqualTo("${{ github.event_name == 'pull_request' }}");
        assertThat(release.path("group").asText()).contains("github.ref");
        assertThat(release.path("cancel-in-progress").asText()).isEqualTo("false");
    }

    /** Root starts PostgreSQL with unshare, which Docker's default profile forbids. The job release starts none. */
    @ParameterizedTest
    @MethodSource("workflows")
    void giveJobsInContainersWhatPostgresNeeds(Path file) throws IOException {
        for (JsonNode job : read(file).path("jobs")) {
            boolean startsPostgres =
                    STARTS_POSTGRES.matcher(job.path("steps").toString()).find();
            assertThat(job.path("container").path("options").asText(""))
                    .isEqualTo(job.has("container") && startsPostgres ? "--privileged" : "");
        }
    }

    @ParameterizedTest
    @MethodSource("workflows")
    void pinWhatTheyUseAndEnd(Path file) throws IOException {
        for (JsonNode job : read(file).path("jobs")) {
            assertThat(job.path("timeout-minutes").asInt()).isPositive();
            assertThat(job.path("runs-on").asText()).doesNotContain("latest");
            if (job.has("container")) {
                assertThat(job.path("container").path("image").asText()).matches(PINNED_IMAGE);
            }
            for (JsonNode step : job.path("steps")) {
                if (step.has("uses")) {
                    assertThat(step.path("uses").asText()).matches(PINNED_ACTION);
                }
                if (step.path("uses").asText().startsWith("actions/checkout@")) {
                    // Otherwise the token stays in the checkout, where every later program can read it.
                    assertThat(step.path("with").path("persist-credentials").asText())
                            .isEqualTo("false");
                    // Fails after the push of a tag, which is fetched already.
                    assertThat(step.path("with").path("fetch-tags").asBoolean()).isFalse();
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("workflows")
    void installGitInAContainerBeforeTheCheckout(Path file) throws IOException {
        for (JsonNode job : read(file).path("jobs")) {
            String before = "";
            for (JsonNode step : job.path("steps")) {
                if (step.path("uses").asText().startsWith("actions/checkout@") && job.has("container")) {
                    // Without Git the action fetches an archive, and the checkout is no repository.
                    assertThat(before).containsPattern("apt-get install [^\\n]*ca-certificates git\\b");
                    // The files belong to another user than the container's: Git refuses them unless told.
                    assertThat(before).contains("git config --global --add safe.directory \"$GITHUB_WORKSPACE\"");
                }
                before += step.path("run").asText() + "\n";
            }
        }
    }

    @ParameterizedTest
    @MethodSource("workflows")
    void runScriptsThatExist(Path file) throws IOException {
        Set<String> jobs = ciJobs();
        List<String> found = new ArrayList<>();
        for (String command : commands(file)) {
            for (MatchResult call : SCRIPT.matcher(command).results().toList()) {
                String script = call.group(1);
                found.add(script);
                assertThat(ROOT.resolve(script)).isExecutable();
                if (script.equals(".ci/run")) {
                    assertThat(jobs).contains(call.group(2).strip());
                }
            }
        }
        assertThat(found).isNotEmpty();
    }

    @ParameterizedTest
    @MethodSource("workflows")
    void pasteNothingIntoCommands(Path file) throws IOException {
        assertThat(commands(file))
                .noneMatch(command -> CHOSEN_BY_OTHERS.matcher(command).find());
    }

    @Test
    void runEveryJobOfCi() throws IOException {
        Set<String> run = new TreeSet<>();
        for (Path file : workflows()) {
            for (String command : commands(file)) {
                SCRIPT.matcher(command)
                        .results()
                        .filter(call -> call.group(1).equals(".ci/run"))
                        .forEach(call -> run.add(call.group(2).strip()));
            }
        }
        assertThat(run).isEqualTo(ciJobs());
    }

    @Test
    void aReleaseNeedsEveryJobOfCi() throws IOException {
        JsonNode jobs = read(ROOT.resolve(".github/workflows/release.yml")).path("jobs");
        Set<String> needed = new TreeSet<>();
        assertThat(jobs.path("upload").path("needs").toString()).contains("\"sign\"");
        for (JsonNode name : jobs.path("sign").path("needs")) {
            for (JsonNode step : jobs.path(name.asText()).path("steps")) {
                SCRIPT.matcher(step.path("run").asText())
                        .results()
                        .filter(call -> call.group(1).equals(".ci/run"))
                        .forEach(call -> needed.add(call.group(2).strip()));
            }
        }
        assertThat(needed).isEqualTo(ciJobs());
    }

    @Test
    void dependabotLooksOnceAWeekWhereDependenciesAre() throws IOException {
        Set<String> kinds = new TreeSet<>();
        for (JsonNode update : read(ROOT.resolve(".github/dependabot.yml")).path("updates")) {
            String kind = update.path("package-ecosystem").asText();
            kinds.add(kind);
            assertThat(update.path("schedule").path("interval").asText()).isEqualTo("weekly");
            List<String> directories = new ArrayList<>();
            update.path("directories").forEach(directory -> directories.add(directory.asText()));
            if (update.has("directory")) {
                directories.add(update.path("directory").asText());
            }
            assertThat(directories).as(kind).isNotEmpty();
            for (String directory : directories) {
                assertThat(ROOT.resolve("." + directory).resolve(DEPENDENCIES.get(kind)))
                        .exists();
            }
        }
        assertThat(kinds).isEqualTo(DEPENDENCIES.keySet());
    }

    /** The jobs that the script of CI accepts. */
    private static Set<String> ciJobs() throws IOException {
        String script = Files.readString(ROOT.resolve(".ci/run"));
        MatchResult cases = Pattern.compile("^ *(\\w+(?: \\| \\w+)+)\\) ;;$", Pattern.MULTILINE)
                .matcher(script)
                .results()
                .findFirst()
                .orElseThrow();
        return new TreeSet<>(List.of(cases.group(1).split(" \\| ", -1)));
    }

    private static List<String> commands(Path file) throws IOException {
        List<String> commands = new ArrayList<>();
        for (JsonNode job : read(file).path("jobs")) {
            for (JsonNode step : job.path("steps")) {
                if (step.has("run")) {
                    commands.add(step.path("run").asText());
                }
            }
        }
        return commands;
    }

    private static List<String> names(JsonNode node) {
        List<String> names = new ArrayList<>();
        node.fieldNames().forEachRemaining(names::add);
        return names;
    }

    private static JsonNode read(Path file) throws IOException {
        return new YAMLMapper().readTree(file.toFile());
    }
}
