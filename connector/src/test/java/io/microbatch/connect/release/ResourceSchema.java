package io.microbatch.connect.release;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The schema of a custom resource of Kubernetes, as strict as {@code kubectl --validate=strict}: a field that the
 * schema does not have is a problem. It knows types, required fields, enumerations, patterns and minimums. It does not
 * know {@code oneOf} and rules in CEL.
 */
record ResourceSchema(String kind, String apiVersion, JsonNode schema) {

    /** The schema of the one version that a definition of a custom resource has. */
    static ResourceSchema of(JsonNode definition) {
        JsonNode spec = definition.path("spec");
        JsonNode version = spec.path("versions").path(0);
        return new ResourceSchema(
                spec.path("names").path("kind").asText(),
                spec.path("group").asText() + "/" + version.path("name").asText(),
                version.path("schema").path("openAPIV3Schema"));
    }

    /** What is wrong with a resource of this kind. Empty if it is valid. */
    List<String> problems(JsonNode resource) {
        List<String> problems = new ArrayList<>();
        if (!resource.path("apiVersion").asText().equals(apiVersion)) {
            problems.add("apiVersion is not " + apiVersion);
        }
        check("spec", resource.path("spec"), schema.path("properties").path("spec"), problems);
        return problems;
    }

    private static void check(String path, JsonNode value, JsonNode schema, List<String> problems) {
        String type = schema.path("type").asText();
        if (!hasType(value, type) && !schema.path("x-kubernetes-int-or-string").asBoolean()) {
            problems.add(path + " is no " + type);
            return;
        }
        if (schema.has("enum") && !contains(schema.path("enum"), value)) {
            problems.add(path + " is none of " + schema.path("enum"));
        }
        if (schema.has("pattern")
                && !Pattern.compile(schema.path("pattern").asText())
                        .matcher(value.asText())
                        .find()) {
            problems.add(path + " does not match " + schema.path("pattern").asText());
        }
        if (schema.has("minimum") && value.asDouble() < schema.path("minimum").asDouble()) {
            problems.add(path + " is less than " + schema.path("minimum"));
        }
        for (int i = 0; value.isArray() && i < value.size(); i++) {
            check(path + "[" + i + "]", value.get(i), schema.path("items"), problems);
        }
        if (value.isObject()) {
            checkFields(path, value, schema, problems);
        }
    }

    private static void checkFields(String path, JsonNode value, JsonNode schema, List<String> problems) {
        for (JsonNode required : schema.path("required")) {
            if (!value.has(required.asText())) {
                problems.add(path + " lacks " + required.asText());
            }
        }
        for (Map.Entry<String, JsonNode> field : value.properties()) {
            JsonNode known = schema.path("properties").path(field.getKey());
            JsonNode others = schema.path("additionalProperties");
            String name = path + "." + field.getKey();
            if (!known.isMissingNode()) {
                check(name, field.getValue(), known, problems);
            } else if (others.isObject()) {
                check(name, field.getValue(), others, problems);
            } else if (!schema.path("x-kubernetes-preserve-unknown-fields").asBoolean()) {
                problems.add(name + " does not exist");
            }
        }
    }

    private static boolean hasType(JsonNode value, String type) {
        return switch (type) {
            case "object" -> value.isObject();
            case "array" -> value.isArray();
            case "string" -> value.isTextual();
            case "integer" -> value.isIntegralNumber();
            case "number" -> value.isNumber();
            case "boolean" -> value.isBoolean();
            // Without a type everything is allowed.
            default -> true;
        };
    }

    private static boolean contains(JsonNode list, JsonNode value) {
        for (JsonNode each : list) {
            if (each.equals(value)) {
                return true;
            }
        }
        return false;
    }
}
