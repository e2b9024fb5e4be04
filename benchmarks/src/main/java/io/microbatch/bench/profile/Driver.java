package io.microbatch.bench.profile;

import io.microbatch.bench.load.Delivery;
import io.microbatch.bench.load.Promise;
import io.microbatch.connect.config.BatchConfig;
import io.microbatch.connect.config.MicrobatchConfig;
import io.microbatch.connect.pressure.LatencyBudgets;
import io.microbatch.connect.pressure.Objective;
import io.microbatch.connect.pressure.PressureLevel;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.clients.producer.ProducerConfig;

/**
 * How it is delivered. Immutable.
 *
 * @param name of its file
 * @param delivery the worker's mode
 * @param producer settings of the worker's producer, for every contender alike
 * @param connector settings of this connector, which others do not have
 */
public record Driver(String name, Delivery delivery, Map<String, String> producer, Map<String, String> connector) {

    private static final String DELIVERY = "delivery";
    private static final String PRODUCER = "producer";
    private static final String CONNECTOR = "connector";

    /**
     * Reads it.
     *
     * @throws ProfileException if there is a key that it cannot have, or a value, or a producer that cannot do what the
     *     mode needs
     */
    public static Driver read(Path file) {
        YamlFile yaml = YamlFile.read(file, List.of(DELIVERY, PRODUCER, CONNECTOR));
        List<String> modes =
                Arrays.stream(Delivery.values()).map(Delivery::text).toList();
        String mode = yaml.text(DELIVERY, String.join("|", modes), String.join(" or ", modes), null);
        if (mode == null) {
            throw yaml.wrong(DELIVERY, "is missing; it is " + String.join(" or ", modes));
        }
        Delivery delivery = Arrays.stream(Delivery.values())
                .filter(each -> each.text().equals(mode))
                .findFirst()
                .orElseThrow();
        Map<String, String> producer = yaml.settings(PRODUCER, producerKeys());
        Map<String, String> connector = yaml.settings(CONNECTOR, connectorKeys());
        String acks = producer.get(ProducerConfig.ACKS_CONFIG);
        if (delivery == Delivery.EXACTLY_ONCE
                && acks != null
                && !List.of("all", "-1").contains(acks)) {
            throw yaml.wrong(PRODUCER + "." + ProducerConfig.ACKS_CONFIG, "is all where delivery is " + mode);
        }
        return new Driver(Profiles.name(file), delivery, producer, connector);
    }

    /** The worker itself sets the brokers and the transactional id. */
    private static Collection<String> producerKeys() {
        Set<String> keys = new HashSet<>(ProducerConfig.configNames());
        keys.removeAll(List.of(
                ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
                ProducerConfig.TRANSACTIONAL_ID_CONFIG,
                ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG,
                ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG));
        return keys;
    }

    /** What is generated is the workload's business. */
    private static Collection<String> connectorKeys() {
        return MicrobatchConfig.definition().names().stream()
                .filter(key -> !key.startsWith("upstream."))
                .collect(Collectors.toSet());
    }

    /** What a run may show and still be verified. */
    public Promise promise(boolean disturbed) {
        return Promise.of(delivery, producer.get(ProducerConfig.ACKS_CONFIG), disturbed);
    }

    /**
     * The longest that an event may take at a rate: that of the pressure level, at the border of two the stricter one,
     * or the connector's own setting.
     */
    public double budgetMs(int ratePerSec) {
        String target = connector.getOrDefault("latency.target.ms", "");
        return LatencyBudgets.of(
                        target.isEmpty() ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(target)),
                        BatchConfig.isForLatency(connector) ? Objective.LATENCY : Objective.EFFICIENCY)
                .budgetMs(PressureLevel.ofRate(ratePerSec - 1));
    }

    /** The producer's settings as a connector's overrides. */
    public Map<String, String> overrides() {
        Map<String, String> overrides = new LinkedHashMap<>();
        producer.forEach((key, value) -> overrides.put("producer.override." + key, value));
        return overrides;
    }
}
