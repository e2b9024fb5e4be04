package io.microbatch.bench.profile;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** One level of keys of a YAML file, read strictly: what is unknown or out of range is an error. Immutable. */
final class YamlFile {

    private static final YAMLMapper YAML = new YAMLMapper(YAMLFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build());

    private final Path file;
    private final JsonNode keys;

    private YamlFile(Path file, JsonNode keys) {
        this.file = file;
        this.keys = keys;
    }

    /** Reads it. It may have these keys and no others. */
    static YamlFile read(Path file, Collection<String> allowed) {
        if (!Files.isReadable(file)) {
            throw new ProfileException("no file " + file);
        }
        try {
            JsonNode root = YAML.readTree(file.toFile());
            if (root == null || root.isMissingNode() || root.isNull()) {
                root = YAML.createObjectNode();
            }
            if (!root.isObject()) {
                throw new ProfileException(file + " has no keys: each line is 'key: value'");
            }
            YamlFile read = new YamlFile(file, root);
            read.ensureOnly(root, "", allowed);
            return read;
        } catch (JsonProcessingException e) {
            throw new ProfileException(file + " is no YAML that could be read: " + e.getOriginalMessage());
        } catch (IOException e) {
            throw new ProfileException(file + " cannot be read: " + e.getMessage());
        }
    }

    private void ensureOnly(JsonNode node, String prefix, Collection<String> allowed) {
        node.fieldNames().forEachRemaining(key -> {
            if (!allowed.contains(key)) {
                throw wrong(prefix + key, "is unknown; allowed are " + String.join(", ", new TreeSet<>(allowed)));
            }
        });
    }

    /** What is wrong with a key. */
    ProfileException wrong(String key, String what) {
        return new ProfileException(file + ": " + key + " " + what);
    }

    /** A whole number. */
    int number(String key, int least, int most, int otherwise) {
        JsonNode value = keys.path(key);
        return value.isMissingNode() ? otherwise : number(key, value, least, most);
    }

    private int number(String key, JsonNode value, int least, int most) {
        if (!value.canConvertToInt() || !value.isIntegralNumber() || value.asInt() < least || value.asInt() > most) {
            throw wrong(key, "is a whole number from " + least + " to " + most);
        }
        return value.asInt();
    }

    /** Whole numbers, as a list or as one alone. */
    List<Integer> numbers(String key, int least, int most, List<Integer> otherwise) {
        JsonNode value = keys.path(key);
        if (value.isMissingNode()) {
            return otherwise;
        }
        List<Integer> numbers = new ArrayList<>();
        if (value.isArray()) {
            value.forEach(each -> numbers.add(number(key, each, least, most)));
        } else {
            numbers.add(number(key, value, least, most));
        }
        if (numbers.isEmpty()) {
            throw wrong(key, "needs at least one number");
        }
        return List.copyOf(numbers);
    }

    /** Text that is one of a few, or a number written as such where a pattern allows it. */
    String text(String key, String pattern, String allowed, String otherwise) {
        JsonNode value = keys.path(key);
        if (value.isMissingNode()) {
            return otherwise;
        }
        if (!value.isValueNode() || !value.asText().matches(pattern)) {
            throw wrong(key, "is " + allowed);
        }
        return value.asText();
    }

    /** Settings of another component, by key. Empty if there are none. */
    Map<String, String> settings(String key, Collection<String> allowed) {
        JsonNode value = keys.path(key);
        if (!value.isMissingNode() && !value.isObject()) {
            throw wrong(key, "holds settings, each on a line of its own, indented");
        }
        ensureOnly(value, key + ".", allowed);
        Map<String, String> settings = new LinkedHashMap<>();
        value.properties().forEach(setting -> {
            if (!setting.getValue().isValueNode() || setting.getValue().isNull()) {
                throw wrong(key + "." + setting.getKey(), "needs a single value");
            }
            settings.put(setting.getKey(), setting.getValue().asText());
        });
        return settings;
    }
}
