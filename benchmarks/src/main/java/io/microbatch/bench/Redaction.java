package io.microbatch.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Takes secrets and this machine's directories out of what is published. Immutable. */
final class Redaction {

    private static final Pattern SECRET = Pattern.compile("(?i).*(password|passwd|secret|token|credential|jaas).*");
    private static final Pattern ASSIGNMENT = Pattern.compile("([^=]+)=.*", Pattern.DOTALL);
    private static final Pattern OTHER_DIRECTORY = Pattern.compile("(^|[=,])/(?:[^=,/]*/)*(?=[^=,/]*(?:,|$))");
    /** In any text: of a path of two names and more, its last one may stay. Addresses have two slashes. */
    private static final Pattern OTHER_PATH = Pattern.compile("(^|[\\s=,;:'\"(\\[])/(?!/)(?:[^\\s/=,;:'\")\\]]+/)+");

    private static final Pattern USER_INFO = Pattern.compile("([A-Za-z][A-Za-z0-9+.-]*://)[^/@\\s]+@");
    private static final String HIDDEN = "***";

    /** What stands for a directory, by the expression that finds it. The longest directory first. */
    private final Map<Pattern, String> directories = new LinkedHashMap<>();

    /** With the directories of this process: its checkout, its temporary files, and its user's own. */
    static Redaction ofThisProcess() {
        Map<Path, String> names = new LinkedHashMap<>();
        // Where two of them are one directory, the first name stands.
        names.put(BenchHome.root().toAbsolutePath().normalize(), "CHECKOUT");
        names.putIfAbsent(Path.of(System.getProperty("java.io.tmpdir")).toAbsolutePath(), "TMP");
        names.putIfAbsent(Path.of(System.getProperty("user.home")).toAbsolutePath(), "HOME");
        return new Redaction(names);
    }

    Redaction(Map<Path, String> names) {
        names.entrySet().stream()
                // The root of the file system is the beginning of every path.
                .filter(entry -> entry.getKey().getNameCount() > 0)
                .sorted(Comparator.comparingInt(
                        entry -> -entry.getKey().toString().length()))
                .forEach(entry -> directories.put(
                        Pattern.compile(
                                "(?<![\\w./-])" + Pattern.quote(entry.getKey().toString()) + "(?![\\w.-])"),
                        entry.getValue()));
    }

    /** The same result with every text in it redacted. */
    JsonNode clean(JsonNode node) {
        if (node instanceof ObjectNode object) {
            for (Map.Entry<String, JsonNode> field : object.properties()) {
                boolean hidden = field.getValue().isTextual()
                        && SECRET.matcher(field.getKey()).matches();
                field.setValue(hidden ? TextNode.valueOf(HIDDEN) : clean(field.getValue()));
            }
        } else if (node instanceof ArrayNode array) {
            for (int i = 0; i < array.size(); i++) {
                JsonNode ignored = array.set(i, clean(array.get(i)));
            }
        } else if (node.isTextual()) {
            return TextNode.valueOf(
                    OTHER_PATH.matcher(publicPart(node.asText())).replaceAll("$1.../"));
        }
        return node;
    }

    /** A command line. Of a file in any other directory it keeps the name. */
    String command(List<String> words) {
        return words.stream().map(this::word).collect(Collectors.joining(" "));
    }

    private String word(String word) {
        Matcher assignment = ASSIGNMENT.matcher(word);
        if (assignment.matches() && SECRET.matcher(assignment.group(1)).matches()) {
            return assignment.group(1) + "=" + HIDDEN;
        }
        String shorter = OTHER_DIRECTORY.matcher(publicPart(word)).replaceAll("$1.../");
        return shorter.contains(" ") || shorter.isEmpty() ? "'" + shorter + "'" : shorter;
    }

    /** Without the user of an address, and with the names of known directories. */
    private String publicPart(String text) {
        String clean = USER_INFO.matcher(text).replaceAll("$1" + HIDDEN + "@");
        for (Map.Entry<Pattern, String> directory : directories.entrySet()) {
            clean = directory.getKey().matcher(clean).replaceAll(directory.getValue());
        }
        return clean;
    }
}
