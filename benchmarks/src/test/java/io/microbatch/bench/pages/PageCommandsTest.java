package io.microbatch.bench.pages;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.testbed.pages.CommandRegistry;
import io.microbatch.testbed.pages.CommandRegistry.Entry;
import io.microbatch.testbed.pages.MarkdownPage;
import io.microbatch.testbed.pages.PageCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Every command of the pages is run by a test or has a reason why not, and names nothing that does not exist. The
 * commands themselves are run by the tests that {@code build/page-commands} names.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PageCommandsTest {

    private static final Path CHECKOUT = Path.of("..");
    private static final Set<String> OTHER_WAYS =
            Set.of("ci", "docker", "kubernetes", "kafka", "release", "server", "long");

    /** They tell what was true at their time. */
    private static final String HISTORY = "CHANGELOG.md|docs/optimization-log.md|docs/adr/.*|benchmarks/results/.*";

    private final CommandRegistry registry = new CommandRegistry(CHECKOUT);
    private final List<MarkdownPage> pages = MarkdownPage.allOf(CHECKOUT);
    private final NamedThings named;

    PageCommandsTest() throws IOException {
        named = new NamedThings(CHECKOUT);
    }

    private List<PageCommand> commands() {
        List<PageCommand> commands =
                pages.stream().flatMap(page -> page.commands().stream()).toList();
        assertThat(commands).hasSizeGreaterThan(50);
        return commands;
    }

    @Test
    void everyCommandHasALineAndEveryLineACommand() {
        assertThat(commands())
                .as("add a line to build/page-commands that says how the command is tried")
                .allMatch(command -> registry.entryOf(command).isPresent());
        assertThat(registry.entries())
                .as("remove the line from build/page-commands, or correct how its command begins")
                .allMatch(entry -> commands().stream()
                        .anyMatch(command -> registry.entryOf(command).equals(java.util.Optional.of(entry))));
    }

    @Test
    void everyLineSaysHowAndItsTestTakesTheCommandFromThePage() throws IOException {
        for (Entry entry : registry.entries()) {
            if (entry.test().isEmpty()) {
                assertThat(OTHER_WAYS).as(entry.toString()).contains(entry.how());
            } else {
                String name = entry.test().orElseThrow();
                assertThat(source(name))
                        .as(entry.toString())
                        .contains("CommandRegistry")
                        .containsPattern("commands\\(\\s*\"" + entry.page() + "\",\\s*" + name + "\\.class\\)");
            }
        }
    }

    private static String source(String test) throws IOException {
        try (Stream<Path> tree = Files.walk(CHECKOUT.resolve("connector/src/test/java"))) {
            List<Path> found =
                    tree.filter(file -> file.endsWith(test + ".java")).toList();
            assertThat(found).as("the test " + test).hasSize(1);
            return Files.readString(found.get(0));
        }
    }

    @Test
    void whatCiRunsIsInItsScript() {
        List<List<String>> run = NamedThings.read(CHECKOUT.resolve(".ci/run"))
                .replaceAll("\\\\\n *", "")
                .lines()
                .map(PageCommandsTest::words)
                .toList();
        assertThat(commands())
                .filteredOn(
                        command -> registry.entryOf(command).orElseThrow().how().equals("ci"))
                .isNotEmpty()
                .allMatch(command -> run.stream().anyMatch(line -> has(line, words(command.text()))));
    }

    /** The words without the values of options. */
    private static List<String> words(String line) {
        return Arrays.stream(line.strip().split(" +"))
                .map(word -> word.replaceFirst("=.*", ""))
                .toList();
    }

    private static boolean has(List<String> line, List<String> words) {
        Iterator<String> wanted = words.iterator();
        String next = wanted.next();
        for (String word : line) {
            // The reader names a file of their own.
            if (word.equals(next) || (next.endsWith(".json") && word.endsWith(".json"))) {
                if (!wanted.hasNext()) {
                    return true;
                }
                next = wanted.next();
            }
        }
        return false;
    }

    @Test
    void whatCommandsNameExists() {
        List<String> problems = new ArrayList<>();
        for (PageCommand command : commands()) {
            named.problemsOfBlock(command).forEach(problem -> problems.add(command + "\n  " + problem));
        }
        for (MarkdownPage page : pages) {
            if (!page.name().matches(HISTORY)) {
                page.spans().stream()
                        .filter(named::isChecked)
                        .forEach(
                                span -> named.problems(span).forEach(problem -> problems.add(span + "\n  " + problem)));
            }
        }
        assertThat(problems).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "benchmarks/bench demmo | has no subcommand demmo",
                "benchmarks/bench demo --fast | has no option --fast",
                "benchmarks/bench micro ring | has no subcommand ring",
                "benchmarks/bench scenario hot-path --profile durabel | no profile durabel",
                "benchmarks/bench compare --rounds many | Invalid value for option '--rounds'",
                "bin/microbatch mgrate | no subcommand mgrate",
                "bin/microbatch migrate --rest URL --conector shop | no option --conector",
                "mvn verifi | unknown to this check: mvn verifi",
                "mvn verify -pl transform,testbed | no module transform",
                "mvn verify -Pcontainer | no profile container",
                "mvn verify -Dit.test=NoSuchIT | no test NoSuchIT",
                "mvn test -Ddocs.rewrite=true | reads the property docs.rewrite",
                "docker/image kafka | no script docker/image",
                "docker/images kafkka | docker/images does not know kafkka",
                "docker/bench --quik | does not know --quik",
                ".ci/run contaners | does not know contaners",
                "docker compose -f docker/compose.hosts.yaml up | no file docker/compose.hosts.yaml",
                "docker compose --profile monitor up | no profile monitor",
                "docker compose kill connect-3 | no service connect-3",
                "docker compose up --volume | unknown option of Compose: --volume",
                "curl -s --data @config-examples/https.json http://127.0.0.1:8083 | no file config-examples/https.json",
                "sleep 5; kubectl apply -f shop-host.yaml | no file shop-host.yaml",
                "java -cp 'lib/*' io.microbatch.connect.console.AdvCommand http://worker:8083 | no class io.microbatch",
                "wget http://127.0.0.1 | unknown program wget"
            })
    void findsWhatDoesNotExist(String command, String problem) {
        assertThat(named.problemsOfBlock(new PageCommand("page.md", 1, command)))
                .singleElement()
                .asString()
                .contains(problem);
    }
}
