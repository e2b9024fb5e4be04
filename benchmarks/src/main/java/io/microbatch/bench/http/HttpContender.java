package io.microbatch.bench.http;

import io.microbatch.bench.http.peer.IngestServer;
import io.microbatch.bench.load.Delivery;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What requests are posted to. */
enum HttpContender {
    /** This connector on an exactly-once worker. */
    HTTP_EOS("http-eos", Delivery.EXACTLY_ONCE, Kind.OURS),
    /** The same with a key on each request. */
    HTTP_EOS_KEYS("http-eos-keys", Delivery.EXACTLY_ONCE, Kind.OURS_KEYED),
    /** The same, set to answer soon. */
    HTTP_EOS_LATENCY("http-eos-latency", Delivery.EXACTLY_ONCE, Kind.OURS_FOR_LATENCY),
    /** This connector on an at-least-once worker. */
    HTTP_ALO("http-alo", Delivery.AT_LEAST_ONCE, Kind.OURS),
    /** The same with a key on each request. */
    HTTP_ALO_KEYS("http-alo-keys", Delivery.AT_LEAST_ONCE, Kind.OURS_KEYED),
    /** The same, set to answer soon. */
    HTTP_ALO_LATENCY("http-alo-latency", Delivery.AT_LEAST_ONCE, Kind.OURS_FOR_LATENCY),
    /** A thread for each request that sends and waits for the acknowledgement. */
    SERVLET("servlet", Delivery.AT_LEAST_ONCE, Kind.OTHER),
    /** The same with the producer's default linger, which saves produce requests. */
    SERVLET_L5("servlet-l5", Delivery.AT_LEAST_ONCE, Kind.OTHER),
    /** A thread for each request that waits for its turn and commits a transaction. */
    SERVLET_TX("servlet-tx", Delivery.EXACTLY_ONCE, Kind.OTHER),
    /** A thread for each request that waits for a transaction of all requests that wait. */
    SERVLET_TX_GROUP("servlet-tx-group", Delivery.EXACTLY_ONCE, Kind.OTHER),
    /** The same with the producer's default linger. */
    SERVLET_TX_GROUP_L5("servlet-tx-group-l5", Delivery.EXACTLY_ONCE, Kind.OTHER),
    /** The same, and after its first request a transaction waits 2 ms for more. */
    SERVLET_TX_GROUP_W2("servlet-tx-group-w2", Delivery.EXACTLY_ONCE, Kind.OTHER),
    /** The same with 5 ms. */
    SERVLET_TX_GROUP_W5("servlet-tx-group-w5", Delivery.EXACTLY_ONCE, Kind.OTHER),
    /** The same with 10 ms. */
    SERVLET_TX_GROUP_W10("servlet-tx-group-w10", Delivery.EXACTLY_ONCE, Kind.OTHER),
    /** A server that the user has started. */
    PEER("peer", Delivery.AT_LEAST_ONCE, Kind.OTHER);

    /** What the ratios and goals are about. */
    static final List<HttpContender> USUAL = List.of(
            HTTP_EOS,
            HTTP_EOS_LATENCY,
            HTTP_ALO,
            HTTP_ALO_LATENCY,
            SERVLET,
            SERVLET_L5,
            SERVLET_TX,
            SERVLET_TX_GROUP_W2,
            SERVLET_TX_GROUP_W5);

    /** Those with the producer's default linger. */
    private static final Set<HttpContender> LINGERING =
            EnumSet.of(SERVLET_L5, SERVLET_TX_GROUP_L5, SERVLET_TX_GROUP_W2, SERVLET_TX_GROUP_W5, SERVLET_TX_GROUP_W10);

    /** What a key costs. */
    static final List<HttpContender> WITH_KEYS = List.of(HTTP_EOS, HTTP_EOS_KEYS, HTTP_ALO, HTTP_ALO_KEYS);

    private final String text;
    private final Delivery delivery;
    private final Kind kind;

    private enum Kind {
        OURS,
        OURS_KEYED,
        OURS_FOR_LATENCY,
        OTHER
    }

    HttpContender(String text, Delivery delivery, Kind kind) {
        this.text = text;
        this.delivery = delivery;
        this.kind = kind;
    }

    /** As options and results spell it. */
    String text() {
        return text;
    }

    Delivery delivery() {
        return delivery;
    }

    /** Whether it is this connector. */
    boolean isOurs() {
        return kind != Kind.OTHER;
    }

    /** Whether it is set to answer soon, so that only the latency at a rate is of interest. */
    boolean isForLatency() {
        return kind == Kind.OURS_FOR_LATENCY;
    }

    /** Whether its requests have keys. */
    boolean isKeyed() {
        return kind == Kind.OURS_KEYED;
    }

    /** How many of these contenders run in its process: this connector's share a worker for each delivery mode. */
    int sharing(List<HttpContender> contenders) {
        return (int) contenders.stream()
                .filter(each -> each == this || (isOurs() && each.isOurs() && each.delivery == delivery))
                .count();
    }

    /** Those that are not this connector and that one with this delivery is compared with. */
    List<HttpContender> rivals() {
        return Arrays.stream(values())
                .filter(each -> !each.isOurs())
                .filter(each -> delivery == Delivery.EXACTLY_ONCE || each.delivery == delivery)
                .toList();
    }

    /** How a server of the bench sends. */
    String sending() {
        return switch (this) {
            case SERVLET_TX -> IngestServer.TRANSACTIONS;
            case SERVLET_TX_GROUP, SERVLET_TX_GROUP_L5 -> IngestServer.GROUPS;
            case SERVLET_TX_GROUP_W2 -> IngestServer.GROUPS_AFTER + 2;
            case SERVLET_TX_GROUP_W5 -> IngestServer.GROUPS_AFTER + 5;
            case SERVLET_TX_GROUP_W10 -> IngestServer.GROUPS_AFTER + 10;
            default -> IngestServer.SENDS;
        };
    }

    /** The producer settings of this one. */
    Map<String, String> ownProducer() {
        Map<String, String> settings = producer();
        if (LINGERING.contains(this)) {
            settings.put("linger.ms", "5");
        }
        return settings;
    }

    /** The producer settings that all of them have, but for the linger of some. */
    private static Map<String, String> producer() {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("linger.ms", "0");
        settings.put("compression.type", "lz4");
        settings.put("batch.size", "1000000");
        return settings;
    }

    /** What makes the difference, for results and for the connector's configuration. */
    Map<String, String> settings() {
        Map<String, String> settings = new LinkedHashMap<>();
        if (isOurs()) {
            settings.put("connector.class", "io.microbatch.connect.MicrobatchSourceConnector");
            settings.put("upstream.type", "http");
            settings.put("upstream.http.max.connections.per.address", "1024");
            for (String converter : List.of("key.converter", "value.converter", "header.converter")) {
                settings.put(converter, "org.apache.kafka.connect.converters.ByteArrayConverter");
            }
            settings.put("tasks.max", "1");
            ownProducer().forEach((key, value) -> settings.put("producer.override." + key, value));
            if (isForLatency()) {
                settings.put("batch.objective", "latency");
                if (delivery == Delivery.AT_LEAST_ONCE) {
                    // Transactions that follow each other so closely would delay each other.
                    settings.put("latency.target.ms", "10");
                }
            }
        } else if (this != PEER) {
            settings.putAll(ownProducer());
            settings.put("acks", "all");
        }
        return settings;
    }
}
