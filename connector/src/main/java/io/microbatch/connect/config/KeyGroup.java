package io.microbatch.connect.config;

import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Type;
import org.apache.kafka.common.config.ConfigDef.Validator;
import org.apache.kafka.common.config.ConfigDef.Width;

/** Defines the keys of one group, in the order in which they are added. One thread. */
final class KeyGroup {

    private final ConfigDef def;
    private final String group;
    private int order;

    KeyGroup(ConfigDef def, String group) {
        this.def = def;
        this.group = group;
    }

    /** Begins the next key. A call of {@code takes} or {@code takesOneOf} defines it. */
    Key add(Importance importance, String name, String title, String doc) {
        return new Key(this, importance, name, title, doc);
    }

    /** A key without its type and values. */
    record Key(KeyGroup keys, Importance importance, String name, String title, String doc) {

        /** Defines the key with any value of this type. A default of null makes it optional. */
        void takes(Type type, Object defaultValue, Width width) {
            takes(type, defaultValue, width, null);
        }

        /** Defines the key with the values that the validator accepts. */
        void takes(Type type, Object defaultValue, Width width, Validator validator) {
            keys.def.define(
                    name, type, defaultValue, validator, importance, doc, keys.group, ++keys.order, width, title);
        }

        /** Defines the key with one of these words, in any case. The first is the default. */
        void takesOneOf(String... words) {
            takes(Type.STRING, words[0], Width.SHORT, ConfigDef.CaseInsensitiveValidString.in(words));
        }
    }
}
