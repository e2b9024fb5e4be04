package io.microbatch.connect.config;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Range;
import org.apache.kafka.common.config.ConfigDef.Type;
import org.apache.kafka.common.config.ConfigDef.Width;

/**
 * The HTTP upstream as its keys describe it. Times in milliseconds. Immutable; any thread.
 *
 * @param port the first port, 0 for a free one
 * @param portPerTask whether each task has a port of its own
 * @param requestTimeoutMs the time of a request that names none, and the longest that one may name
 * @param stallMs without a poll for this time, requests are refused
 * @param idempotencyKeys the keys that a task remembers, 0 to ignore them
 * @param idempotencyRequired whether a request without a key is refused
 * @param headers the request headers that become record headers, in lower case
 * @param clientTimestamps whether records may bring a timestamp
 */
public record HttpConfig(
        List<Topic> topics,
        String host,
        int port,
        boolean portPerTask,
        int threads,
        int requestTimeoutMs,
        int stallMs,
        int idempotencyKeys,
        boolean idempotencyRequired,
        List<String> headers,
        boolean clientTimestamps,
        HttpLimits limits,
        HttpAuthConfig auth,
        HttpTlsConfig tls) {

    static final String GROUP = "HTTP upstream";
    static final String PREFIX = "upstream.http.";

    public static final String TOPICS_CONFIG = PREFIX + "topics";

    static final String TOPICS_DOC = "The topics that clients may write, comma-separated. 'name:partitions' allows "
            + "clients to choose from so many partitions of the topic, and it must have them. 'prefix*' is every topic "
            + "whose name begins so. It is allowed only with topic.creation.default.partitions, because Connect then "
            + "creates such a topic, and with at most so many partitions. Every other topic must exist: a "
            + "record for a topic or a partition that does not "
            + "exist blocks the worker's producer and the task with it. The topics must accept each record of at most "
            + "producer.override.max.request.size (max.message.bytes). A compacted topic accepts no record without "
            + "a key, and a record that the broker refuses fails the task.";

    public static final String HOST_CONFIG = PREFIX + "host";

    static final String HOST_DOC = "The address that the server listens on: an IP address of the worker, 'localhost', "
            + "or 0.0.0.0 for all of them. An address other than loopback needs TLS and authentication, or "
            + "upstream.http.insecure=true.";

    public static final String PORT_CONFIG = PREFIX + "port";

    static final String PORT_DOC = "The port of task 0. With upstream.http.port.mode=task, task n listens on this port "
            + "plus n. 0 takes any free port, which is for tests.";

    public static final String PORT_MODE_CONFIG = PREFIX + "port.mode";

    static final String PORT_MODE_DOC =
            "'task': each task has a port of its own, wherever it runs. 'worker': all tasks "
                    + "of this connector on a worker share one port, which needs Linux, and one worker process on a "
                    + "host. The operating system then chooses the task of a connection. So a repeated request may "
                    + "reach a task that does not know its Idempotency-Key.";

    public static final String THREADS_CONFIG = PREFIX + "threads";

    static final String THREADS_DOC =
            "The threads of a task that read and answer requests. One task thread is behind them, so that more "
                    + "of them seldom help.";

    public static final String REQUEST_TIMEOUT_MS_CONFIG = PREFIX + "request.timeout.ms";

    static final String REQUEST_TIMEOUT_MS_DOC = "The time within which a request is answered if it names none in "
            + "X-Request-Timeout-Ms, x-envoy-expected-rq-timeout-ms or Prefer: wait. It is also the longest time "
            + "that a request may name. The time of a request is its latency budget: a batch with it leaves in time "
            + "for the answer.";

    public static final String STALL_MS_CONFIG = PREFIX + "stall.ms";

    static final String STALL_MS_DOC =
            "The time without a poll by the worker after which requests are refused with 503 "
                    + "and the server is not ready. The worker does not poll while the connector is paused, or while "
                    + "it waits for a broker.";

    public static final String IDEMPOTENCY_KEYS_CONFIG = PREFIX + "idempotency.keys";

    static final String IDEMPOTENCY_KEYS_DOC =
            "The number of values of the header Idempotency-Key that a task remembers, in its source offsets. "
                    + "A request whose key is among them is answered and not written again, if it reaches the same "
                    + "task: with upstream.http.port.mode=worker and several tasks nobody can ensure that. A request "
                    + "with a new key is refused with 503 if the task would have to forget the key of a request "
                    + "that is not answered yet. 0 ignores the header.";
    private static final int MIN_IDEMPOTENCY_KEYS = 256;

    /** The largest number of keys that a task may remember. */
    public static final int MAX_IDEMPOTENCY_KEYS = 65_536;

    public static final String IDEMPOTENCY_REQUIRED_CONFIG = PREFIX + "idempotency.required";

    static final String IDEMPOTENCY_REQUIRED_DOC = "Whether a request without Idempotency-Key is refused with "
            + "400. Not allowed with upstream.http.port.mode=worker and several tasks.";

    public static final String HEADERS_CONFIG = PREFIX + "headers";

    static final String HEADERS_DOC = "The request headers that are copied to each record of a request, "
            + "comma-separated. A record's own header of the same name takes precedence. A list of your own "
            + "replaces the default: name traceparent and tracestate too to keep them. If clients send an "
            + "Idempotency-Key, list only headers that a retry sends unchanged, otherwise the retry is refused with "
            + "422; traceparent and tracestate may change.";

    /** The headers that carry credentials. */
    private static final Set<String> SECRET_HEADERS = Set.of("authorization", "proxy-authorization", "cookie");

    private static final Pattern HEADER = Pattern.compile("[a-z0-9!#$%&'*+.^_`|~-]+");

    public static final String CLIENT_TIMESTAMPS_CONFIG = PREFIX + "client.timestamps";

    static final String CLIENT_TIMESTAMPS_DOC = "Whether records may bring a 'timestamp', in milliseconds since 1970. "
            + "One that is more than 30 minutes ahead is refused, because a broker refuses an hour by default, and a "
            + "record that the broker refuses fails the task.";

    private static final int MAX_PARTITIONS = 100_000;

    /**
     * A topic that clients may write.
     *
     * @param name the name, or the beginning of names
     * @param prefix whether it is the beginning of names
     * @param partitions how many partitions clients may choose from, 0 if they may not choose
     */
    public record Topic(String name, boolean prefix, int partitions) {

        private static Topic of(String text) {
            int colon = text.indexOf(':');
            String name = colon < 0 ? text : text.substring(0, colon);
            boolean prefix = name.endsWith("*");
            return new Topic(
                    prefix ? name.substring(0, name.length() - 1) : name,
                    prefix,
                    colon < 0 ? 0 : Integer.parseInt(text.substring(colon + 1)));
        }

        private boolean isAllowed(boolean namesPartitions) {
            // A beginning such as "orders." is legal as a name too, and "" is not.
            return TopicName.isLegal(name) && (!namesPartitions || (partitions > 0 && partitions <= MAX_PARTITIONS));
        }
    }

    static void define(ConfigDef def) {
        KeyGroup keys = new KeyGroup(def, GROUP);
        keys.add(Importance.HIGH, TOPICS_CONFIG, "Topics", TOPICS_DOC)
                .takes(
                        Type.LIST,
                        null,
                        Width.LONG,
                        AllowedValues.where("name, name:partitions or prefix*", HttpConfig::topics));
        keys.add(Importance.HIGH, HOST_CONFIG, "Address", HOST_DOC)
                .takes(
                        Type.STRING,
                        "127.0.0.1",
                        Width.MEDIUM,
                        AllowedValues.where("an IP address or localhost", HttpAddress::check));
        keys.add(Importance.HIGH, PORT_CONFIG, "Port", PORT_DOC)
                .takes(Type.INT, 8_090, Width.SHORT, Range.between(0, 65_535));
        keys.add(Importance.MEDIUM, PORT_MODE_CONFIG, "Port mode", PORT_MODE_DOC)
                .takesOneOf("task", "worker");
        keys.add(Importance.LOW, THREADS_CONFIG, "Threads", THREADS_DOC)
                .takes(Type.INT, 2, Width.SHORT, Range.between(1, 64));
        keys.add(Importance.MEDIUM, REQUEST_TIMEOUT_MS_CONFIG, "Request timeout (ms)", REQUEST_TIMEOUT_MS_DOC)
                .takes(Type.INT, 30_000, Width.SHORT, Range.between(1, 600_000));
        keys.add(Importance.LOW, STALL_MS_CONFIG, "Stall (ms)", STALL_MS_DOC)
                .takes(Type.INT, 5_000, Width.SHORT, Range.between(500, 600_000));
        keys.add(Importance.MEDIUM, IDEMPOTENCY_KEYS_CONFIG, "Idempotency keys", IDEMPOTENCY_KEYS_DOC)
                .takes(
                        Type.INT,
                        MAX_IDEMPOTENCY_KEYS,
                        Width.SHORT,
                        AllowedValues.where(
                                "0, or " + MIN_IDEMPOTENCY_KEYS + " to " + MAX_IDEMPOTENCY_KEYS,
                                HttpConfig::idempotencyKeys));
        keys.add(Importance.LOW, IDEMPOTENCY_REQUIRED_CONFIG, "Idempotency key required", IDEMPOTENCY_REQUIRED_DOC)
                .takes(Type.BOOLEAN, false, Width.SHORT);
        keys.add(Importance.LOW, HEADERS_CONFIG, "Copied headers", HEADERS_DOC)
                .takes(
                        Type.LIST,
                        "traceparent,tracestate",
                        Width.LONG,
                        AllowedValues.where("names of request headers without credentials", HttpConfig::headers));
        keys.add(Importance.LOW, CLIENT_TIMESTAMPS_CONFIG, "Client timestamps", CLIENT_TIMESTAMPS_DOC)
                .takes(Type.BOOLEAN, false, Width.SHORT);
        HttpLimits.define(keys);
        HttpAuthConfig.define(keys);
        HttpTlsConfig.define(keys);
    }

    static HttpConfig from(AbstractConfig config) {
        return new HttpConfig(
                config.getList(TOPICS_CONFIG).stream().map(Topic::of).toList(),
                config.getString(HOST_CONFIG),
                config.getInt(PORT_CONFIG),
                "task".equalsIgnoreCase(config.getString(PORT_MODE_CONFIG)),
                config.getInt(THREADS_CONFIG),
                config.getInt(REQUEST_TIMEOUT_MS_CONFIG),
                config.getInt(STALL_MS_CONFIG),
                config.getInt(IDEMPOTENCY_KEYS_CONFIG),
                config.getBoolean(IDEMPOTENCY_REQUIRED_CONFIG),
                config.getList(HEADERS_CONFIG).stream()
                        .map(name -> name.toLowerCase(Locale.ROOT))
                        .toList(),
                config.getBoolean(CLIENT_TIMESTAMPS_CONFIG),
                HttpLimits.from(config),
                HttpAuthConfig.from(config),
                HttpTlsConfig.from(config));
    }

    private static boolean topics(Object value) {
        Set<String> names = new HashSet<>();
        for (Object each : (List<?>) value) {
            Topic topic = Topic.of((String) each);
            if (!topic.isAllowed(((String) each).contains(":")) || !names.add(topic.name() + topic.prefix())) {
                return false;
            }
        }
        return true;
    }

    private static boolean idempotencyKeys(Object value) {
        int keys = (Integer) value;
        return keys == 0 || (keys >= MIN_IDEMPOTENCY_KEYS && keys <= MAX_IDEMPOTENCY_KEYS);
    }

    /** Whether consumers trust a header of this name, in lower case: Connect's own, and those of the transforms. */
    public static boolean isReserved(String header) {
        return header.startsWith("__connect.") || header.startsWith("microbatch.");
    }

    private static boolean headers(Object value) {
        for (Object each : (List<?>) value) {
            String name = ((String) each).toLowerCase(Locale.ROOT);
            if (!HEADER.matcher(name).matches() || SECRET_HEADERS.contains(name) || isReserved(name)) {
                return false;
            }
        }
        return true;
    }
}
