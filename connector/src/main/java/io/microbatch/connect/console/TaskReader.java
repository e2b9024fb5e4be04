package io.microbatch.connect.console;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.management.Attribute;
import javax.management.JMException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanServerConnection;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import org.apache.kafka.common.utils.Sanitizer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the figures of source tasks from MBeans. An MBean that is absent, or throws, costs its own figures and nothing
 * else. One call reads at most {@link #MAX_TASKS} tasks and {@link #MAX_BEANS} MBeans of each kind of a task. Any
 * thread. A call lasts as long as the slowest MBean.
 */
final class TaskReader {

    private static final Logger log = LoggerFactory.getLogger(TaskReader.class);

    /** The most tasks of one worker that are read. */
    static final int MAX_TASKS = 500;

    /** The most MBeans that one name of a task may match, such as those of its stripes. */
    static final int MAX_BEANS = 64;

    private final MBeanServerConnection server;

    TaskReader(MBeanServerConnection server) {
        this.server = server;
    }

    /** The source tasks that run in this process, in order. */
    List<TaskKey> tasks() {
        Set<TaskKey> keys = new TreeSet<>();
        for (ObjectName name : names(Bean.SOURCE.prefix() + ",*")) {
            task(name).ifPresent(keys::add);
        }
        return keys.stream().limit(MAX_TASKS).toList();
    }

    /**
     * The present figures of tasks, in their order. A task that is not in this process has none. The names of MBeans
     * are looked for once for each kind and not once for each task, because a look visits every MBean of the domain.
     *
     * @param settings what is known of a connector's settings
     * @param kinds the kinds of MBeans that are read
     */
    List<TaskSnapshot> read(List<TaskKey> keys, Function<String, ConnectorSettings> settings, Set<Bean> kinds) {
        Map<String, ConnectorSettings> known = new HashMap<>();
        keys.forEach(key -> known.computeIfAbsent(key.connector(), settings));
        Map<Bean, Map<String, List<ObjectName>>> found = new EnumMap<>(Bean.class);
        for (Bean bean : kinds) {
            boolean isWanted = known.values().stream().anyMatch(each -> publishes(each, bean));
            if (!Bean.NAMED.contains(bean) && isWanted) {
                found.put(bean, names(pattern(bean)).stream().collect(Collectors.groupingBy(TaskReader::owner)));
            }
        }
        return keys.stream()
                .map(key -> read(key, known.get(key.connector()), kinds, found))
                .toList();
    }

    private TaskSnapshot read(
            TaskKey key, ConnectorSettings settings, Set<Bean> kinds, Map<Bean, Map<String, List<ObjectName>>> found) {
        Map<Figure, Double> figures = new EnumMap<>(Figure.class);
        for (Bean bean : kinds) {
            if (!publishes(settings, bean)) {
                continue;
            }
            List<ObjectName> names = Bean.NAMED.contains(bean)
                    ? names(name(bean, key, settings))
                    : found.get(bean).getOrDefault(owner(bean, key, settings), List.of());
            names.stream()
                    .filter(name -> isOfTask(name, key))
                    .limit(MAX_BEANS)
                    .forEach(name -> add(bean, name, figures));
        }
        return new TaskSnapshot(key, figures);
    }

    /** Whether a connector may have such MBeans. One whose settings are not known may be this project's. */
    private static boolean publishes(ConnectorSettings settings, Bean bean) {
        return switch (bean) {
            case SOURCE, TASK, ERRORS, PRODUCER, PRODUCER_NODES -> true;
            case MICROBATCH -> settings.isMicrobatch() || !settings.isKnown();
            case STRIPES, REFUSALS -> settings.isMicrobatch();
            case DEBEZIUM, DEBEZIUM_SNAPSHOT -> !settings.topicPrefix().isEmpty();
        };
    }

    /** The name of the one MBean of a kind that a task has. */
    private static String name(Bean bean, TaskKey key, ConnectorSettings settings) {
        return bean == Bean.PRODUCER
                ? bean.prefix() + ",client-id=" + Sanitizer.jmxSanitize(producer(key, settings))
                : bean.prefix() + ",connector=" + Sanitizer.jmxSanitize(key.connector()) + ",task=" + key.task();
    }

    /** The names of all MBeans of a kind, whatever task they belong to. */
    private static String pattern(Bean bean) {
        return bean.prefix()
                + switch (bean) {
                    case PRODUCER_NODES -> ",client-id=*,node-id=*";
                    case STRIPES -> ",connector=*,task=*,stripe=*";
                    case REFUSALS -> ",connector=*,task=*,reason=*";
                    case DEBEZIUM -> ",context=streaming,server=*,*";
                    case DEBEZIUM_SNAPSHOT -> ",context=snapshot,server=*,*";
                    default -> throw new IllegalArgumentException(bean + " has names and no pattern");
                };
    }

    /** Whom an MBean belongs to: a Debezium server, a producer, or a task. As in its name, with its quotes. */
    private static String owner(ObjectName name) {
        return Stream.of("server", "client-id")
                .map(name::getKeyProperty)
                .filter(Objects::nonNull)
                .findFirst()
                .orElseGet(() -> name.getKeyProperty("connector") + "," + name.getKeyProperty("task"));
    }

    private static String owner(Bean bean, TaskKey key, ConnectorSettings settings) {
        return switch (bean) {
            case DEBEZIUM, DEBEZIUM_SNAPSHOT -> Sanitizer.jmxSanitize(settings.topicPrefix());
            case PRODUCER_NODES -> Sanitizer.jmxSanitize(producer(key, settings));
            default -> Sanitizer.jmxSanitize(key.connector()) + "," + key.task();
        };
    }

    private static String producer(TaskKey key, ConnectorSettings settings) {
        return settings.text("producer.override.client.id").orElse("connector-producer-" + key);
    }

    /** Debezium's connectors with several tasks name the task. */
    private static boolean isOfTask(ObjectName name, TaskKey key) {
        String task = name.getKeyProperty("task");
        return task == null || task.equals(Integer.toString(key.task()));
    }

    private static Optional<TaskKey> task(ObjectName name) {
        String connector = name.getKeyProperty("connector");
        String task = name.getKeyProperty("task");
        if (connector == null || task == null) {
            return Optional.empty();
        }
        try {
            boolean quoted = connector.startsWith("\"");
            return Optional.of(new TaskKey(quoted ? ObjectName.unquote(connector) : connector, Integer.parseInt(task)));
        } catch (IllegalArgumentException e) {
            log.debug("{} is not the name of a task", name, e);
            return Optional.empty();
        }
    }

    private List<ObjectName> names(String pattern) {
        try {
            ObjectName name = new ObjectName(pattern);
            if (!name.isPattern()) {
                return List.of(name);
            }
            List<ObjectName> found = new ArrayList<>(server.queryNames(name, null));
            found.sort(null);
            return found;
        } catch (MalformedObjectNameException | IOException | RuntimeException e) {
            log.debug("MBeans {} cannot be listed", pattern, e);
            return List.of();
        }
    }

    private void add(Bean bean, ObjectName name, Map<Figure, Double> figures) {
        try {
            List<Figure> wanted = present(name, Figure.of(bean));
            if (wanted.isEmpty()) {
                return;
            }
            String[] attributes = wanted.stream().map(Figure::attribute).toArray(String[]::new);
            for (Attribute attribute : server.getAttributes(name, attributes).asList()) {
                double value = value(bean, name, number(attribute.getValue()));
                for (Figure figure : wanted) {
                    if (figure.attribute().equals(attribute.getName())) {
                        figures.merge(figure, value, (first, second) -> merged(bean, first, second));
                    }
                }
            }
        } catch (JMException | IOException | RuntimeException e) {
            log.debug("MBean {} cannot be read", name, e);
        }
    }

    /**
     * The figures whose attributes an MBean has. Kafka's MBeans write a warning with a stack trace for each other one
     * that they are asked for.
     */
    private List<Figure> present(ObjectName name, List<Figure> figures) throws JMException, IOException {
        Set<String> attributes = Arrays.stream(server.getMBeanInfo(name).getAttributes())
                .map(MBeanAttributeInfo::getName)
                .collect(Collectors.toSet());
        return figures.stream()
                .filter(figure -> attributes.contains(figure.attribute()))
                .toList();
    }

    /** Of two MBeans of a task. One that is not a number says nothing. */
    private static double merged(Bean bean, double first, double second) {
        if (!Double.isFinite(first) || !Double.isFinite(second)) {
            return Double.isFinite(first) ? first : second;
        }
        return isSum(bean) ? first + second : Math.max(first, second);
    }

    /** Whether a task has several MBeans of the kind, each with a part of the figure. */
    private static boolean isSum(Bean bean) {
        return bean == Bean.STRIPES || bean == Bean.REFUSALS || bean == Bean.PRODUCER_NODES;
    }

    /** Of brokers, 1 for each that got a request. An address of bootstrap.servers, which has a negative id, is none. */
    private static double value(Bean bean, ObjectName name, double value) {
        if (bean != Bean.PRODUCER_NODES) {
            return value;
        }
        return value > 0 && !name.getKeyProperty("node-id").startsWith("node--") ? 1 : 0;
    }

    private static double number(Object value) {
        if (value instanceof Boolean flag) {
            return flag ? 1 : 0;
        }
        return value instanceof Number number ? number.doubleValue() : Double.NaN;
    }
}
