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

    /** Begins the next key; it is defined when it is said what it takes. */
    Key add(Importance importance, String name, String title, String doc) {
        return new Key(this, importance, name, title, doc);
    }

    /** A key of which the values are still to be said. */
    record Key(KeyGroup keys, Importance importance, String name, String title, String doc) {

        /** Takes any value of this type; a default of null makes it optional. */
        void takes(Type type, Object defaultValue, Width width) {
            takes(type, defaultValue, width, null);
        }

        /** Takes the values of this type that the validator accepts. */
        void takes(Type type, Object defaultValue, Width width, Validator validator) {
            keys.def.define(
                    name, type, defaultValue, validator, importance, doc, keys.group, ++keys.order, width, title);
        }

        /** Takes one of these words in any case; the first is the default. */
        void takesOneOf(String... words) {
            takes(Type.STRING, words[0], Width.SHORT, ConfigDef.CaseInsensitiveValidString.in(words));
        }
    }
}
