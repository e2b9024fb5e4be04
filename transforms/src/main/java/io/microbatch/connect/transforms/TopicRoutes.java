package io.microbatch.connect.transforms;

import io.microbatch.connect.pressure.PressureLevel;
import org.apache.kafka.common.cache.LRUCache;

/** Caches the formatted names of recent topics, so that no name is built per record. One thread. */
final class TopicRoutes {

    private static final int MAX_TOPICS = 256;

    private final TopicFormat format;
    private final LRUCache<String, String[]> routes = new LRUCache<>(MAX_TOPICS);
    private String lastTopic;
    private String[] lastRoutes;

    TopicRoutes(TopicFormat format) {
        this.format = format;
    }

    String of(String topic, PressureLevel level) {
        if (!topic.equals(lastTopic)) {
            lastRoutes = routes(topic);
            lastTopic = topic;
        }
        return lastRoutes[level.ordinal()];
    }

    private String[] routes(String topic) {
        String[] known = routes.get(topic);
        if (known == null) {
            known = new String[PressureLevel.count()];
            for (PressureLevel level : PressureLevel.values()) {
                known[level.ordinal()] = format.of(topic, level.number());
            }
            routes.put(topic, known);
        }
        return known;
    }
}
