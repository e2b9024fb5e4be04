package io.microbatch.connect.config;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.security.auth.x500.X500Principal;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Type;
import org.apache.kafka.common.config.ConfigDef.Width;
import org.apache.kafka.common.config.types.Password;

/**
 * Who may write which topic over HTTP. Immutable; any thread.
 *
 * @param secrets the principals and their secrets, empty without bearer or basic
 * @param grants the topics of principals, empty if every principal may write every listed topic
 * @param insecure whether it may listen on other addresses than loopback without TLS or authentication
 */
public record HttpAuthConfig(Method method, List<Secret> secrets, List<Grant> grants, boolean insecure) {

    public static final String AUTH_CONFIG = HttpConfig.PREFIX + "auth";

    static final String AUTH_DOC = "How a client shows who it is. 'bearer': a token in the header Authorization. "
            + "'basic': a name and a password there. 'mtls': a certificate that "
            + "upstream.http.tls.truststore.path trusts, whose subject is the principal.";

    public static final String SECRETS_CONFIG = AUTH_CONFIG + ".secrets";

    static final String SECRETS_DOC = "The tokens or passwords of clients: 'principal=secret', separated by commas or "
            + "line breaks. A principal may have several. Required with upstream.http.auth=bearer and basic. Let a "
            + "config provider read it, for example ${file:/path:key} or ${dir:/path:file}.";

    public static final String ACL_CONFIG = HttpConfig.PREFIX + "acl";

    static final String ACL_DOC = "The topics of each principal: 'principal=topic|topic', separated by semicolons or "
            + "line breaks, since the subject of a certificate contains commas. 'prefix*' is every listed topic whose "
            + "name begins so. A principal that is not named may write nothing. Without this setting every principal "
            + "may write every topic of upstream.http.topics.";

    public static final String INSECURE_CONFIG = HttpConfig.PREFIX + "insecure";

    static final String INSECURE_DOC = "Whether the server may listen on an address other than loopback without TLS or "
            + "without authentication. Then anyone who reaches the port may write, or may read tokens and events on "
            + "their way.";

    private static final Pattern LINE_OR_COMMA = Pattern.compile("[,\\r\\n]");
    private static final Pattern LINE_OR_SEMICOLON = Pattern.compile("[;\\r\\n]");
    private static final Pattern BAR = Pattern.compile("\\|");

    /** How a client shows who it is. */
    public enum Method {
        NONE,
        BEARER,
        BASIC,
        MTLS
    }

    /** A principal's token or password. */
    public record Secret(String principal, Password secret) {

        /** A token may end in equal signs, so the first one separates. */
        private static Secret of(String entry) {
            int equals = entry.indexOf('=');
            if (equals < 1 || equals == entry.length() - 1) {
                throw new IllegalArgumentException("no principal=secret");
            }
            return new Secret(
                    entry.substring(0, equals).strip(),
                    new Password(entry.substring(equals + 1).strip()));
        }
    }

    /** The topics of a principal: names, or beginnings of names that end in an asterisk. */
    public record Grant(String principal, List<String> topics) {

        /** The subject of a certificate contains equal signs, and a topic does not, so the last one separates. */
        private static Grant of(String entry) {
            int equals = entry.lastIndexOf('=');
            List<String> topics = Arrays.stream(BAR.split(entry.substring(equals + 1), -1))
                    .map(String::strip)
                    .toList();
            if (equals < 1 || !topics.stream().allMatch(Grant::isTopic)) {
                throw new IllegalArgumentException("no principal=topic|topic");
            }
            return new Grant(entry.substring(0, equals).strip(), topics);
        }

        private static boolean isTopic(String topic) {
            return topic.equals("*")
                    || TopicName.isLegal(topic.endsWith("*") ? topic.substring(0, topic.length() - 1) : topic);
        }
    }

    static void define(KeyGroup keys) {
        keys.add(Importance.HIGH, AUTH_CONFIG, "Authentication", AUTH_DOC)
                .takesOneOf("none", "bearer", "basic", "mtls");
        keys.add(Importance.HIGH, SECRETS_CONFIG, "Secrets", SECRETS_DOC)
                .takes(
                        Type.PASSWORD,
                        null,
                        Width.LONG,
                        AllowedValues.where(
                                "principal=secret, separated by commas or line breaks, each secret once",
                                HttpAuthConfig::areSecrets));
        keys.add(Importance.MEDIUM, ACL_CONFIG, "Access", ACL_DOC)
                .takes(
                        Type.STRING,
                        null,
                        Width.LONG,
                        AllowedValues.where(
                                "principal=topic|topic, separated by semicolons or line breaks",
                                value -> !grants((String) value).isEmpty()));
        keys.add(Importance.MEDIUM, INSECURE_CONFIG, "Insecure", INSECURE_DOC).takes(Type.BOOLEAN, false, Width.SHORT);
    }

    static HttpAuthConfig from(AbstractConfig config) {
        Method method = Method.valueOf(config.getString(AUTH_CONFIG).toUpperCase(Locale.ROOT));
        List<Grant> grants = grants(config.getString(ACL_CONFIG));
        if (method == Method.MTLS) {
            grants = grants.stream()
                    .map(grant -> new Grant(principal(new X500Principal(grant.principal())), grant.topics()))
                    .toList();
        }
        return new HttpAuthConfig(
                method, secrets(config.getPassword(SECRETS_CONFIG)), grants, config.getBoolean(INSECURE_CONFIG));
    }

    /** The principal of a certificate. Two spellings of a subject are one principal. */
    public static String principal(X500Principal subject) {
        return subject.getName(X500Principal.CANONICAL);
    }

    /** The secrets of a value that may be null. */
    static List<Secret> secrets(Password value) {
        return entries(LINE_OR_COMMA, value == null ? null : value.value())
                .map(Secret::of)
                .toList();
    }

    /** The grants of a value that may be null, with principals as they are written. */
    static List<Grant> grants(String value) {
        return entries(LINE_OR_SEMICOLON, value).map(Grant::of).toList();
    }

    private static Stream<String> entries(Pattern separator, String value) {
        return value == null
                ? Stream.empty()
                : separator.splitAsStream(value).map(String::strip).filter(entry -> !entry.isEmpty());
    }

    private static boolean areSecrets(Object value) {
        Set<String> seen = new HashSet<>();
        List<Secret> secrets = new ArrayList<>(secrets((Password) value));
        return secrets.stream()
                .allMatch(each -> !each.principal().isEmpty()
                        && !each.secret().value().isEmpty()
                        && !each.principal().contains(":")
                        && seen.add(each.secret().value()));
    }
}
