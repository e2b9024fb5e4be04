package io.microbatch.connect.upstream.hosted;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.types.Password;
import org.apache.kafka.connect.source.SourceConnector;

/**
 * The values of a hosted connector's settings that it defines as passwords. Its messages may quote them, and the worker
 * validates with the resolved values of config providers. Immutable.
 */
final class HostedSecrets {

    private final List<String> values;

    private HostedSecrets(List<String> values) {
        this.values = values;
    }

    /** The passwords among these settings, by the connector's own definition. */
    static HostedSecrets of(SourceConnector hosted, Map<String, String> settings) {
        List<String> values = new ArrayList<>();
        ConfigDef definition = hosted.config();
        if (definition != null) {
            for (ConfigDef.ConfigKey key : definition.configKeys().values()) {
                String value = settings.get(key.name);
                if (key.type == ConfigDef.Type.PASSWORD && value != null && !value.isBlank()) {
                    values.add(value.trim());
                }
            }
        }
        // Longest first: one password may be a part of another.
        values.sort(Comparator.comparingInt(String::length).reversed());
        return new HostedSecrets(values);
    }

    /** Returns the text with each password replaced. */
    String hideIn(String text) {
        String hidden = text;
        for (String value : values) {
            hidden = hidden.replace(value, Password.HIDDEN);
        }
        return hidden;
    }
}
