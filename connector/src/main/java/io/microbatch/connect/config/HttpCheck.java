package io.microbatch.connect.config;

import io.microbatch.connect.config.HttpAuthConfig.Grant;
import io.microbatch.connect.config.HttpAuthConfig.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.security.auth.x500.X500Principal;
import org.apache.kafka.common.config.ConfigValue;
import org.apache.kafka.common.config.types.Password;

/**
 * Checks that the keys of the HTTP upstream fit together and to the worker's keys. Every message names the key and the
 * remedy and shows no value. Stateless; any thread.
 */
public final class HttpCheck {

    private static final String HTTP = UpstreamConfig.TYPE_CONFIG + "=http";
    private static final String ACKS = WorkerKeys.PRODUCER_PREFIX + "acks";
    private static final String BOUNDARY = "transaction.boundary";
    private static final String CREATED_PARTITIONS = "topic.creation.default.partitions";
    private static final String CREATION_GROUPS = "topic.creation.groups";
    private static final Pattern CHOSEN_PARTITIONS = Pattern.compile("[^:]*:(\\d{1,9})");
    private static final String TASKS = "tasks.max";
    private static final int MAX_PORT = 65_535;
    private static final String FILTER = "org.apache.kafka.connect.transforms.Filter";

    private HttpCheck() {}

    /** Does nothing for another upstream. */
    static void check(Map<String, String> properties, Map<String, ConfigValue> values) {
        if (!isHttp(properties)) {
            return;
        }
        for (String converter : DeadLetterConfig.CONVERTERS) {
            BytesConverters.check(
                    converter, properties, values, HTTP, "clients send bytes, which are kept as they are");
        }
        checkWorker(properties, values);
        checkPorts(properties, values);
        checkLimits(values);
        checkTopics(properties, values);
        Method method = word(values, HttpAuthConfig.AUTH_CONFIG, Method.class);
        if (method != null) {
            checkAuth(method, values);
            checkTls(method, properties, values);
            checkGrants(method, values);
            checkInsecure(method, values);
        }
    }

    /** What an operator should know and what prevents nothing, with the remedy. Empty for another upstream. */
    public static List<String> warnings(Map<String, String> properties) {
        List<String> warnings = new ArrayList<>();
        if (!isHttp(properties)) {
            return warnings;
        }
        if ("1".equals(text(properties, ACKS))) {
            warnings.add(ACKS + "=1 confirms a request that is lost with its broker, unless the worker is "
                    + "exactly-once: leave it out");
        }
        if (WorkerKeys.isBlank(properties, CREATED_PARTITIONS)) {
            warnings.add(HttpConfig.TOPICS_CONFIG + " must name topics that exist, because " + CREATED_PARTITIONS
                    + " is not set: a record for a missing topic blocks the task");
        }
        if (Stream.of(properties.getOrDefault(HttpConfig.TOPICS_CONFIG, "").split(",", -1))
                .anyMatch(topic -> !topic.contains("*") && exceedsCreated(topic, properties))) {
            warnings.add(HttpConfig.TOPICS_CONFIG + " gives a topic more partitions than " + CREATED_PARTITIONS
                    + ". If Connect creates the topic, a record for a partition that does not exist blocks the task: "
                    + "create the topic before, or raise " + CREATED_PARTITIONS);
        }
        long window = WorkerKeys.number(properties, HttpConfig.IDEMPOTENCY_KEYS_CONFIG)
                .orElse(HttpConfig.MAX_IDEMPOTENCY_KEYS);
        boolean keys = window > 0;
        if (keys && window < HttpLimits.requestsAtOnce(properties)) {
            warnings.add(HttpConfig.IDEMPOTENCY_KEYS_CONFIG + " is less than the requests that may be on their way. No "
                    + "key of these is forgotten, so that further requests with a key are refused with 503 before the "
                    + "other limits are reached: raise it, or lower " + HttpLimits.INFLIGHT_REQUESTS_CONFIG);
        }
        WorkerKeys.transforms(properties).values().stream()
                .filter(HttpCheck::mayDrop)
                .distinct()
                .forEach(type -> warnings.add(dropping(type, keys)));
        if (keys && sharesPort(properties) && !isRequired(properties)) {
            warnings.add(HttpConfig.PORT_MODE_CONFIG + "=worker with several tasks lets a retry reach a task that does "
                    + "not know its Idempotency-Key, which then writes it again: set "
                    + HttpConfig.IDEMPOTENCY_KEYS_CONFIG + "=0, so that no client relies on keys, or "
                    + HttpConfig.PORT_MODE_CONFIG + "=task");
        }
        if (Boolean.parseBoolean(text(properties, HttpAuthConfig.INSECURE_CONFIG))
                && !HttpAddress.isLoopback(properties.getOrDefault(HttpConfig.HOST_CONFIG, "localhost"))) {
            warnings.add(
                    HttpAuthConfig.INSECURE_CONFIG + "=true lets the HTTP upstream listen on an address other than "
                            + "loopback without TLS or without authentication");
        }
        return warnings;
    }

    /** Kafka's own transforms drop nothing but for one, and ours drop nothing. */
    private static boolean mayDrop(String type) {
        return !type.isEmpty()
                && (type.equals(FILTER)
                        || !(type.startsWith("org.apache.kafka.connect.transforms.")
                                || type.startsWith("io.microbatch.connect.transforms.")));
    }

    private static String dropping(String type, boolean keys) {
        String text = type + " may drop records. On an exactly-once worker a request of which all records are dropped "
                + "is answered only when another one is written, and otherwise with 504 after its timeout: "
                + "filter elsewhere";
        return keys
                ? text + ". A retry with the Idempotency-Key of such a request is answered with 409 until then, and "
                        + "after a crash it may be taken for one that was written. A request whose last record is "
                        + "dropped may be written again: filter elsewhere, or set "
                        + HttpConfig.IDEMPOTENCY_KEYS_CONFIG + "=0"
                : text;
    }

    /** Whether several tasks share a port, so that nobody knows which one gets a request. */
    private static boolean sharesPort(Map<String, String> properties) {
        return text(properties, HttpConfig.PORT_MODE_CONFIG).equals("worker") && tasks(properties) > 1;
    }

    private static boolean isRequired(Map<String, String> properties) {
        return Boolean.parseBoolean(text(properties, HttpConfig.IDEMPOTENCY_REQUIRED_CONFIG));
    }

    private static long tasks(Map<String, String> properties) {
        return WorkerKeys.number(properties, TASKS).orElse(1);
    }

    private static void checkPorts(Map<String, String> properties, Map<String, ConfigValue> values) {
        if (sharesPort(properties) && isRequired(properties)) {
            WorkerKeys.error(
                    values,
                    HttpConfig.IDEMPOTENCY_REQUIRED_CONFIG,
                    "must be false with " + HttpConfig.PORT_MODE_CONFIG + "=worker and several tasks: a retry may "
                            + "reach a task that does not know the key. Set " + HttpConfig.PORT_MODE_CONFIG
                            + "=task, or " + TASKS + "=1");
        }
        long last = number(values, HttpConfig.PORT_CONFIG) + tasks(properties) - 1;
        if (!text(properties, HttpConfig.PORT_MODE_CONFIG).equals("worker")
                && number(values, HttpConfig.PORT_CONFIG) > 0
                && last > MAX_PORT) {
            WorkerKeys.error(
                    values,
                    HttpConfig.PORT_CONFIG,
                    "must be at most " + (MAX_PORT + 1 - tasks(properties)) + ", because each of the tasks has a port "
                            + "of its own: lower this or " + TASKS);
        }
    }

    private static void checkWorker(Map<String, String> properties, Map<String, ConfigValue> values) {
        if (!WorkerKeys.isBlank(properties, DeadLetterConfig.TOPIC_CONFIG)) {
            WorkerKeys.error(
                    values,
                    DeadLetterConfig.TOPIC_CONFIG,
                    "is not allowed with " + HTTP + ": the client is told what was refused. Remove it");
        }
        if (!text(properties, BOUNDARY).isEmpty() && !text(properties, BOUNDARY).equals("poll")) {
            WorkerKeys.error(
                    values, BOUNDARY, "must be poll with " + HTTP + ": clients wait for the transaction. Remove it");
        }
        if ("0".equals(text(properties, ACKS))) {
            WorkerKeys.error(
                    values, ACKS, "must not be 0 with " + HTTP + ": nothing would be known of a record. Remove it");
        }
        if ("all".equals(text(properties, WorkerKeys.TOLERANCE))) {
            WorkerKeys.error(
                    values,
                    WorkerKeys.TOLERANCE,
                    "must be none with " + HTTP + ": a record whose send fails would be reported as dropped, "
                            + "although the broker may have it. Remove it");
        }
        if (Boolean.TRUE.equals(values.get(BulkConfig.ENABLED_CONFIG).value())) {
            WorkerKeys.error(
                    values,
                    BulkConfig.ENABLED_CONFIG,
                    "is not allowed with " + HTTP + ": each request is answered at the commit of its own records. "
                            + "Remove it");
        }
    }

    private static void checkLimits(Map<String, ConfigValue> values) {
        checkHalf(values, HttpLimits.REQUEST_BYTES_CONFIG, StripeConfig.MAX_BYTES_CONFIG);
        checkHalf(values, HttpLimits.REQUEST_RECORDS_CONFIG, StripeConfig.MAX_EVENTS_CONFIG);
        if (number(values, HttpLimits.REQUEST_BYTES_CONFIG) > number(values, HttpLimits.INFLIGHT_BYTES_CONFIG)) {
            WorkerKeys.error(
                    values,
                    HttpLimits.INFLIGHT_BYTES_CONFIG,
                    "must be at least " + HttpLimits.REQUEST_BYTES_CONFIG + ": a larger body would never be taken");
        }
    }

    private static void checkHalf(Map<String, ConfigValue> values, String key, String stripe) {
        if (2 * number(values, key) > number(values, stripe)) {
            WorkerKeys.error(
                    values,
                    key,
                    "must be at most half of " + stripe + ", because a request is in a stripe as a whole: lower this "
                            + "or raise that");
        }
    }

    private static void checkTopics(Map<String, String> properties, Map<String, ConfigValue> values) {
        boolean prefixes = topics(values).anyMatch(topic -> topic.contains("*"));
        if (prefixes && WorkerKeys.isBlank(properties, CREATED_PARTITIONS)) {
            WorkerKeys.error(
                    values,
                    HttpConfig.TOPICS_CONFIG,
                    "may contain a prefix only with " + CREATED_PARTITIONS + ", with which Connect creates the topics: "
                            + "set that, or name each topic");
        }
        if (topics(values).anyMatch(topic -> topic.contains("*") && exceedsCreated(topic, properties))) {
            WorkerKeys.error(
                    values,
                    HttpConfig.TOPICS_CONFIG,
                    "gives a prefix more partitions than " + CREATED_PARTITIONS + ", with which Connect creates the "
                            + "topics, and a record for a partition that does not exist blocks the task: raise that, "
                            + "or lower this");
        }
    }

    /** Whether clients may choose a partition that a topic does not have if Connect creates it. */
    private static boolean exceedsCreated(String topic, Map<String, String> properties) {
        Matcher chosen = CHOSEN_PARTITIONS.matcher(topic.strip());
        long created = WorkerKeys.number(properties, CREATED_PARTITIONS).orElse(0);
        // Groups of topics may have more, and -1 is the broker's number.
        return chosen.matches()
                && created > 0
                && WorkerKeys.isBlank(properties, CREATION_GROUPS)
                && Long.parseLong(chosen.group(1)) > created;
    }

    private static void checkAuth(Method method, Map<String, ConfigValue> values) {
        boolean needed = method == Method.BEARER || method == Method.BASIC;
        boolean given = values.get(HttpAuthConfig.SECRETS_CONFIG).value() instanceof Password password
                && !password.value().isBlank();
        boolean broken =
                !values.get(HttpAuthConfig.SECRETS_CONFIG).errorMessages().isEmpty();
        if (needed && !given && !broken) {
            WorkerKeys.error(
                    values,
                    HttpAuthConfig.SECRETS_CONFIG,
                    "is missing: name the principals and their secrets, or change " + HttpAuthConfig.AUTH_CONFIG);
        } else if (!needed && given) {
            WorkerKeys.error(
                    values,
                    HttpAuthConfig.SECRETS_CONFIG,
                    "is read only with " + HttpAuthConfig.AUTH_CONFIG + "=bearer or basic: set one, or remove it");
        }
    }

    private static void checkTls(Method method, Map<String, String> properties, Map<String, ConfigValue> values) {
        for (String store : List.of(HttpTlsConfig.KEYSTORE, HttpTlsConfig.TRUSTSTORE)) {
            String path = store + HttpTlsConfig.PATH;
            for (String key : List.of(store + HttpTlsConfig.PASSWORD, store + HttpTlsConfig.TYPE)) {
                if (properties.containsKey(key) && isBlank(values, path)) {
                    WorkerKeys.error(values, key, "is read only with " + path + ": set that, or remove it");
                }
            }
            if (method == Method.MTLS && isBlank(values, path)) {
                WorkerKeys.error(
                        values, path, "is missing: " + HttpAuthConfig.AUTH_CONFIG + "=mtls needs both files of TLS");
            }
        }
        String truststore = HttpTlsConfig.TRUSTSTORE + HttpTlsConfig.PATH;
        if (method != Method.MTLS && !isBlank(values, truststore)) {
            WorkerKeys.error(
                    values,
                    truststore,
                    "is read only with " + HttpAuthConfig.AUTH_CONFIG + "=mtls: set that, or remove it");
        }
    }

    private static void checkGrants(Method method, Map<String, ConfigValue> values) {
        ConfigValue acl = values.get(HttpAuthConfig.ACL_CONFIG);
        if (!acl.errorMessages().isEmpty() || acl.value() == null) {
            return;
        }
        if (method == Method.NONE) {
            WorkerKeys.error(
                    values,
                    HttpAuthConfig.ACL_CONFIG,
                    "is read only with authentication: set " + HttpAuthConfig.AUTH_CONFIG + ", or remove it");
            return;
        }
        List<Grant> grants = HttpAuthConfig.grants((String) acl.value());
        if (!grants.stream().allMatch(grant -> isPrincipal(method, grant.principal(), values))) {
            WorkerKeys.error(
                    values,
                    HttpAuthConfig.ACL_CONFIG,
                    method == Method.MTLS
                            ? "names a principal that is no subject of a certificate, such as CN=shop,O=Example: "
                                    + "correct it"
                            : "names a principal without a secret: add it to " + HttpAuthConfig.SECRETS_CONFIG
                                    + ", or remove it");
        }
        if (!grants.stream().flatMap(grant -> grant.topics().stream()).allMatch(topic -> isListed(topic, values))) {
            WorkerKeys.error(
                    values,
                    HttpAuthConfig.ACL_CONFIG,
                    "names a topic that is not in " + HttpConfig.TOPICS_CONFIG + ": add it there, or remove it");
        }
    }

    private static boolean isPrincipal(Method method, String principal, Map<String, ConfigValue> values) {
        if (method == Method.MTLS) {
            try {
                return !new X500Principal(principal).getName().isEmpty();
            } catch (IllegalArgumentException e) {
                return false;
            }
        }
        ConfigValue secrets = values.get(HttpAuthConfig.SECRETS_CONFIG);
        return !secrets.errorMessages().isEmpty()
                || HttpAuthConfig.secrets((Password) secrets.value()).stream()
                        .anyMatch(secret -> secret.principal().equals(principal));
    }

    /** Whether at least one listed topic may have the name, or begin so. */
    private static boolean isListed(String granted, Map<String, ConfigValue> values) {
        boolean grantedPrefix = granted.endsWith("*");
        String name = granted.replace("*", "");
        return topics(values).map(topic -> topic.replaceFirst(":.*", "")).anyMatch(topic -> {
            String listed = topic.replace("*", "");
            boolean listedPrefix = topic.endsWith("*");
            return listed.equals(name)
                    || (listedPrefix && name.startsWith(listed))
                    || (grantedPrefix && listed.startsWith(name));
        });
    }

    private static void checkInsecure(Method method, Map<String, ConfigValue> values) {
        boolean loopback =
                values.get(HttpConfig.HOST_CONFIG).value() instanceof String host && HttpAddress.isLoopback(host);
        boolean secure = method != Method.NONE && !isBlank(values, HttpTlsConfig.KEYSTORE + HttpTlsConfig.PATH);
        boolean insecure =
                Boolean.TRUE.equals(values.get(HttpAuthConfig.INSECURE_CONFIG).value());
        if (!loopback
                && !secure
                && !insecure
                && values.get(HttpConfig.HOST_CONFIG).errorMessages().isEmpty()) {
            WorkerKeys.error(
                    values,
                    HttpConfig.HOST_CONFIG,
                    "may be another address than loopback only with TLS and authentication: set "
                            + HttpTlsConfig.KEYSTORE + HttpTlsConfig.PATH + " and " + HttpAuthConfig.AUTH_CONFIG
                            + ", or " + HttpAuthConfig.INSECURE_CONFIG + "=true");
        }
    }

    private static boolean isHttp(Map<String, String> properties) {
        return text(properties, UpstreamConfig.TYPE_CONFIG).equals("http");
    }

    private static String text(Map<String, String> properties, String key) {
        String value = properties.get(key);
        return value == null ? "" : value.strip().toLowerCase(Locale.ROOT);
    }

    private static Stream<String> topics(Map<String, ConfigValue> values) {
        return values.get(HttpConfig.TOPICS_CONFIG).value() instanceof List<?> list
                ? list.stream().map(String.class::cast)
                : Stream.empty();
    }

    /** 0 for a value that is reported as wrong. */
    private static long number(Map<String, ConfigValue> values, String key) {
        return values.get(key).value() instanceof Number number ? number.longValue() : 0;
    }

    private static boolean isBlank(Map<String, ConfigValue> values, String key) {
        Object value = values.get(key).value();
        return value == null || value.toString().isBlank();
    }

    /** Null for a value that is reported as wrong. */
    private static <E extends Enum<E>> E word(Map<String, ConfigValue> values, String key, Class<E> type) {
        try {
            return Enum.valueOf(type, values.get(key).value().toString().toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            return null;
        }
    }
}
