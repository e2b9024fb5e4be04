package io.microbatch.bench.http;

import io.microbatch.bench.http.peer.IngestServer;
import io.microbatch.bench.load.Delivery;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

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
    SERVLET("servlet", IngestRival.waiting(IngestServer.SENDS)),
    /** The same with the producer's default linger, which saves produce requests. */
    SERVLET_L5("servlet-l5", IngestRival.waiting(IngestServer.SENDS).lingering()),
    /** A thread for each request that waits for its turn and commits a transaction. */
    SERVLET_TX("servlet-tx", IngestRival.waiting(IngestServer.TRANSACTIONS)),
    /** A thread for each request that waits for a transaction of all requests that wait. */
    SERVLET_TX_GROUP("servlet-tx-group", IngestRival.waiting(IngestServer.GROUPS)),
    /** The same with the producer's default linger. */
    SERVLET_TX_GROUP_L5(
            "servlet-tx-group-l5", IngestRival.waiting(IngestServer.GROUPS).lingering()),
    /** The same, and after its first request a transaction waits 2 ms for more. */
    SERVLET_TX_GROUP_W2(
            "servlet-tx-group-w2",
            IngestRival.waiting(IngestServer.GROUPS).lingering().gathering(2)),
    /** The same with 5 ms. */
    SERVLET_TX_GROUP_W5(
            "servlet-tx-group-w5",
            IngestRival.waiting(IngestServer.GROUPS).lingering().gathering(5)),
    /** The same with 10 ms. */
    SERVLET_TX_GROUP_W10(
            "servlet-tx-group-w10",
            IngestRival.waiting(IngestServer.GROUPS).lingering().gathering(10)),
    /** No thread waits for a request. */
    ASYNC("async", IngestRival.async(IngestServer.SENDS)),
    /** The same with the producer's default linger. */
    ASYNC_L5("async-l5", IngestRival.async(IngestServer.SENDS).lingering()),
    /** No thread waits for a request, and all that wait have a transaction. */
    ASYNC_TX_GROUP("async-tx-group", IngestRival.async(IngestServer.GROUPS).lingering()),
    /** The same, and after its first request a transaction waits 2 ms for more. */
    ASYNC_TX_GROUP_W2(
            "async-tx-group-w2",
            IngestRival.async(IngestServer.GROUPS).lingering().gathering(2)),
    /** The same with 5 ms. */
    ASYNC_TX_GROUP_W5(
            "async-tx-group-w5",
            IngestRival.async(IngestServer.GROUPS).lingering().gathering(5)),
    /** The same with 10 ms. */
    ASYNC_TX_GROUP_W10(
            "async-tx-group-w10",
            IngestRival.async(IngestServer.GROUPS).lingering().gathering(10)),
    /** The same with 20 ms. */
    ASYNC_TX_GROUP_W20(
            "async-tx-group-w20",
            IngestRival.async(IngestServer.GROUPS).lingering().gathering(20)),
    /** With 5 ms, and two producers, of which one gathers while the other one commits. */
    ASYNC_TX_GROUP_W5_P2(
            "async-tx-group-w5-p2",
            IngestRival.async(IngestServer.GROUPS).lingering().gathering(5).producers(2)),
    /** A server that the user has started. */
    PEER("peer", Delivery.AT_LEAST_ONCE, Kind.OTHER);

    /** What the ratios and goals are about. Few, because each server is a process with a heap of its own. */
    static final List<HttpContender> USUAL = List.of(
            HTTP_EOS,
            HTTP_EOS_LATENCY,
            HTTP_ALO,
            HTTP_ALO_LATENCY,
            SERVLET,
            SERVLET_TX,
            ASYNC_L5,
            ASYNC_TX_GROUP_W2,
            ASYNC_TX_GROUP_W5);

    /** What a key costs. */
    static final List<HttpContender> WITH_KEYS = List.of(HTTP_EOS, HTTP_EOS_KEYS, HTTP_ALO, HTTP_ALO_KEYS);

    private final String text;
    private final Delivery delivery;
    private final Kind kind;
    private final IngestRival rival;

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
        this.rival = null;
    }

    HttpContender(String text, IngestRival rival) {
        this.text = text;
        this.delivery = rival.delivery();
        this.kind = Kind.OTHER;
        this.rival = rival;
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

    /** What makes the difference, for results, for the connector's configuration and for servers of the bench. */
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
            IngestRival.producer().forEach((key, value) -> settings.put("producer.override." + key, value));
            if (isForLatency()) {
                settings.put("batch.objective", "latency");
                if (delivery == Delivery.AT_LEAST_ONCE) {
                    // Transactions that follow each other so closely would delay each other.
                    settings.put("latency.target.ms", "10");
                }
            }
        } else if (rival != null) {
            settings.putAll(rival.settings());
        }
        return settings;
    }
}
