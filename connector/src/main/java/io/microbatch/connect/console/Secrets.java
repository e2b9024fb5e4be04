package io.microbatch.connect.console;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Decides which values of a configuration may be shown. A value is hidden if the connector defines its key as a
 * password, if the key sounds like one, or if the value itself carries credentials. A reference to a config provider is
 * no secret. Immutable; any thread.
 */
public final class Secrets {

    /** Parts of keys under which people store credentials. */
    private static final Pattern KEY = Pattern.compile(".*(?:passw|pwd|passphrase|secret|token|credential|jaas"
            + "|private[._-]?key|access[._-]?key|account[._-]?key|api[._-]?key|shared[._-]?key|user[._-]?info"
            + "|connection[._-]?str|authorization|cookie|keystore\\.key|certificate\\.chain|signature"
            + "|(?:cipher|encryption|signing|master|data)[._-]?keys?|\\bsas\\b).*");

    /** A whole reference, such as {@code ${file:/run/secrets/shop:password}}. */
    private static final Pattern REFERENCE = Pattern.compile("\\$\\{[^${}]+:[^${}]*\\}");

    /**
     * A user of an address or of Oracle's, a parameter of an address, a part of a connection string or of JSON, or the
     * beginning of a key.
     */
    private static final Pattern VALUE = Pattern.compile(
            ".*(?://[^/\\s@]*:[^/\\s@]+@|//[^/\\s@]+@|jdbc:oracle:\\w+:[^/\\s@]+/[^\\s@]+@"
                    + "|(?:passw|pwd|secret|token|credential|[a-z]key|sig)\\w*[\"']?\\s*[=:]"
                    + "|\\bbearer |\\bbasic |-----begin).*",
            Pattern.DOTALL);

    private final Set<String> defined;

    /**
     * Knows the keys that are passwords by definition.
     *
     * @param defined the keys that the connector defines as passwords, as they are in its configuration
     */
    public Secrets(Set<String> defined) {
        this.defined = Set.copyOf(defined);
    }

    /** Whether the value must not be shown. */
    public boolean hides(String key, String value) {
        String literal = REFERENCE.matcher(value).replaceAll("").trim();
        if (literal.isEmpty()) {
            return false;
        }
        return defined.contains(key)
                || KEY.matcher(key.toLowerCase(Locale.ROOT)).matches()
                || VALUE.matcher(literal.toLowerCase(Locale.ROOT)).matches();
    }
}
