package io.microbatch.testbed;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The worker's answer to a validation request.
 *
 * @param errorCount errors over all keys
 * @param errors the messages per key; keys without errors are absent
 */
public record ConfigValidation(int errorCount, Map<String, List<String>> errors) {

    static ConfigValidation of(JsonNode json) {
        Map<String, List<String>> errors = new LinkedHashMap<>();
        for (JsonNode config : json.path("configs")) {
            JsonNode value = config.path("value");
            List<String> messages = new ArrayList<>();
            value.path("errors").forEach(error -> messages.add(error.asText()));
            if (!messages.isEmpty()) {
                errors.put(value.path("name").asText(), List.copyOf(messages));
            }
        }
        return new ConfigValidation(json.path("error_count").asInt(), errors);
    }

    /** Whether the worker accepts the configuration. */
    public boolean isValid() {
        return errorCount == 0;
    }
}
