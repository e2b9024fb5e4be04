package io.microbatch.bench.pages;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The phases, modules, profiles and properties that a command of Maven may name. */
final class MavenWords {

    private static final Set<String> GOALS = Set.of(
            "clean", "compile", "test", "process-test-classes", "package", "verify", "spotless:apply", "versions:set");
    private static final Set<String> FLAGS = Set.of("-B", "-ntp", "-o", "-q", "-am");

    /** Of plugins, which no file of the project mentions. */
    private static final Set<String> OF_PLUGINS = Set.of(
            "skipTests",
            "skipITs",
            "test",
            "it.test",
            "surefire.failIfNoSpecifiedTests",
            "failsafe.failIfNoSpecifiedTests",
            "newVersion");

    private static final Pattern PROFILE = Pattern.compile("(?s)<profile>\\s*(?:<!--.*?-->\\s*)?<id>([^<]+)</id>");
    private static final Pattern MODULE = Pattern.compile("<module>([^<]+)</module>");
    private static final Pattern USED = Pattern.compile("\\$\\{([\\w.]+)}");
    private static final Pattern READ = Pattern.compile("(?:getBoolean|getProperty|getInteger)\\(\"([\\w.]+)\"");
    private static final Set<String> TESTS = Set.of("test", "it.test");

    private final Set<String> profiles = new TreeSet<>();
    private final Set<String> modules = new TreeSet<>();
    private final Set<String> properties = new TreeSet<>(OF_PLUGINS);
    private final List<String> files;

    MavenWords(Path checkout, List<String> files) {
        this.files = files;
        for (String file : files) {
            if (file.endsWith("pom.xml")) {
                String pom = NamedThings.read(checkout.resolve(file));
                addAll(profiles, PROFILE, pom);
                addAll(modules, MODULE, pom);
                addAll(properties, USED, pom);
            } else if (file.endsWith(".java")) {
                addAll(properties, READ, NamedThings.read(checkout.resolve(file)));
            }
        }
    }

    private static void addAll(Set<String> found, Pattern pattern, String text) {
        pattern.matcher(text).results().forEach(match -> found.add(match.group(1)));
    }

    /** What of these arguments the build does not have. */
    List<String> problems(List<String> arguments) {
        List<String> problems = new ArrayList<>();
        Iterator<String> words = arguments.iterator();
        while (words.hasNext()) {
            String word = words.next();
            if (word.equals("-pl")) {
                for (String module : words.next().split(",", -1)) {
                    require(modules.contains(module), "no module " + module, problems);
                }
            } else if (word.startsWith("-P")) {
                require(profiles.contains(word.substring(2)), "no profile " + word.substring(2), problems);
            } else if (word.startsWith("-D")) {
                String name = word.substring(2).replaceFirst("=.*", "");
                require(properties.contains(name), "no file of the build reads the property " + name, problems);
                if (TESTS.contains(name)) {
                    ofTests(word.substring(word.indexOf('=') + 1), problems);
                }
            } else {
                require(GOALS.contains(word) || FLAGS.contains(word), "unknown to this check: mvn " + word, problems);
            }
        }
        return problems;
    }

    private void ofTests(String names, List<String> problems) {
        for (String name : names.split(",", -1)) {
            Matcher file = Pattern.compile(".*/src/test/java/.*/" + name.replace("*", "[^/]*") + "\\.java")
                    .matcher("");
            boolean exists = files.stream().anyMatch(each -> file.reset(each).matches());
            require(exists || name.equals("none"), "no test " + name, problems);
        }
    }

    private static void require(boolean holds, String problem, List<String> problems) {
        if (!holds) {
            problems.add(problem);
        }
    }
}
