package io.microbatch.connect.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.metrics.Metric;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.management.Attribute;
import javax.management.AttributeList;
import javax.management.DynamicMBean;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanInfo;
import javax.management.MBeanServer;
import javax.management.MBeanServerConnection;
import javax.management.MBeanServerFactory;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;

class TaskReaderTest {

    private static final String NODES = "kafka.producer:type=producer-node-metrics,client-id=*,node-id=*";
    private static final String SOURCE = "kafka.connect:type=source-task-metrics,connector=";
    private static final ConnectorSettings DEBEZIUM = new ConnectorSettings(
            Map.of("connector.class", "io.debezium.connector.sqlserver.SqlServerConnector", "topic.prefix", "shop"), 1);

    private static final ConnectorSettings OURS =
            new ConnectorSettings(Map.of("connector.class", ConnectorSettings.MICROBATCH_CLASS), 1);
    private static final ConnectorSettings PLAIN =
            new ConnectorSettings(Map.of("connector.class", "com.example.QueueConnector"), 1);

    private final MBeanServer server = MBeanServerFactory.newMBeanServer();
    private final List<String> patterns = new ArrayList<>();
    private final Set<String> beans = new HashSet<>();

    /** The attributes that an MBean was asked for and does not have. */
    private final List<String> absent = new ArrayList<>();

    private final TaskReader reader = new TaskReader(watched());

    /** The server, which notes what it is asked for. */
    private MBeanServerConnection watched() {
        return (MBeanServerConnection) Proxy.newProxyInstance(
                MBeanServerConnection.class.getClassLoader(),
                new Class<?>[] {MBeanServerConnection.class},
                (proxy, method, arguments) -> {
                    (method.getName().equals("queryNames") ? patterns : beans).add(arguments[0].toString());
                    try {
                        return method.invoke(server, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private TaskSnapshot read(TaskKey key, ConnectorSettings settings) {
        return reader.read(List.of(key), connector -> settings, EnumSet.allOf(Bean.class))
                .get(0);
    }

    /** An MBean with these attributes. One that is null is an MBean that throws. */
    private record Fixed(Map<String, Object> attributes, List<String> absent) implements DynamicMBean {

        @Override
        public AttributeList getAttributes(String[] names) {
            if (attributes == null) {
                throw new IllegalStateException("broken");
            }
            AttributeList list = new AttributeList();
            for (String name : names) {
                if (attributes.containsKey(name)) {
                    list.add(new Attribute(name, attributes.get(name)));
                } else {
                    absent.add(name);
                }
            }
            return list;
        }

        @Override
        public Object getAttribute(String name) {
            return attributes.get(name);
        }

        @Override
        public void setAttribute(Attribute attribute) {
            throw new UnsupportedOperationException();
        }

        @Override
        public AttributeList setAttributes(AttributeList list) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Object invoke(String action, Object[] parameters, String[] signature) {
            throw new UnsupportedOperationException();
        }

        @Override
        public MBeanInfo getMBeanInfo() {
            Set<String> names = attributes == null ? Set.of("batch-size-avg") : attributes.keySet();
            MBeanAttributeInfo[] infos = names.stream()
                    .map(name -> new MBeanAttributeInfo(name, "double", "", true, false, false))
                    .toArray(MBeanAttributeInfo[]::new);
            return new MBeanInfo("Fixed", "", infos, null, null, null);
        }
    }

    private void register(String name, Map<String, Object> attributes) throws Exception {
        Object ignored = server.registerMBean(new Fixed(attributes, absent), new ObjectName(name));
    }

    @Test
    void findsTheTasksOfThisProcessWithAnyName() throws Exception {
        register(SOURCE + "shop,task=1", Map.of());
        register(SOURCE + "shop,task=0", Map.of());
        register(SOURCE + ObjectName.quote("a, b=\"c\"*") + ",task=0", Map.of());
        register(SOURCE + "shop,task=zero", Map.of());
        register("kafka.connect:type=sink-task-metrics,connector=sink,task=0", Map.of());

        assertThat(reader.tasks())
                .containsExactly(new TaskKey("a, b=\"c\"*", 0), new TaskKey("shop", 0), new TaskKey("shop", 1));
    }

    @Test
    void addsUpWhatAnHttpTaskRefusesAndCloses() throws Exception {
        String task = "kafka.connect:type=plugins,connector=http,task=0";
        register(task, Map.of("http-ready", 1.0, "http-answer-p99-ms", 12.0));
        register(task + ",reason=full", Map.of("http-refused-total", 5.0));
        register(task + ",reason=late", Map.of("http-refused-total", 2.0));
        register(task + ",reason=task", Map.of("http-closed-total", 3.0));
        register(task + ",reason=address", Map.of("http-closed-total", 1.0));
        register(task + ",reason=events", Map.of("flush-total", 900.0));

        assertThat(read(new TaskKey("http", 0), OURS).figures())
                .isEqualTo(Map.of(
                        Figure.HTTP_READY, 1.0,
                        Figure.HTTP_ANSWER_P99_MS, 12.0,
                        Figure.HTTP_REFUSED_TOTAL, 7.0,
                        Figure.HTTP_CLOSED_TOTAL, 4.0));
    }

    @Test
    void readsTheFiguresOfEachKind() throws Exception {
        String name = ObjectName.quote("my shop:1");
        register(
                SOURCE + name + ",task=0",
                Map.of("source-record-poll-rate", 12.5, "poll-batch-avg-time-ms", Double.NaN));
        register(
                "kafka.connect:type=connector-task-metrics,connector=" + name + ",task=0",
                Map.of("batch-size-avg", 3L));
        register(
                "kafka.producer:type=producer-metrics,client-id=" + ObjectName.quote("connector-producer-my shop:1-0"),
                Map.of("request-rate", 7));
        register("kafka.connect:type=plugins,connector=" + name + ",task=0", Map.of("linger-ms", 20.0, "x", "text"));
        register("kafka.connect:type=plugins,connector=" + name + ",task=0,stripe=0", Map.of("stripe-events", 5.0));
        register("kafka.connect:type=plugins,connector=" + name + ",task=0,stripe=1", Map.of("stripe-events", 6.0));

        TaskSnapshot task = read(new TaskKey("my shop:1", 0), OURS);

        assertThat(task.figures())
                .isEqualTo(Map.of(
                        Figure.RATE, 12.5,
                        Figure.BATCH_RECORDS_AVG, 3.0,
                        Figure.PRODUCER_REQUEST_RATE, 7.0,
                        Figure.LINGER_MS, 20.0,
                        Figure.STRIPE_EVENTS, 11.0));
    }

    /** The address of bootstrap.servers is one of them again, and a broker without requests is none yet. */
    @Test
    void countsTheBrokersThatTheProducerSendsTo() throws Exception {
        register(SOURCE + "shop,task=0", Map.of("source-record-poll-rate", 5.0));
        Map<String, Object> requests = Map.of("node--1", 4.0, "node-1", 900.0, "node-2", 3.0, "node-3", 0.0);
        for (Map.Entry<String, Object> node : requests.entrySet()) {
            register(
                    "kafka.producer:type=producer-node-metrics,client-id=connector-producer-shop-0,node-id="
                            + node.getKey(),
                    Map.of("request-total", node.getValue()));
        }
        register(
                "kafka.producer:type=producer-node-metrics,client-id=connector-producer-shop-1,node-id=node-4",
                Map.of("request-total", 7.0));

        assertThat(read(new TaskKey("shop", 0), PLAIN).figures()).containsEntry(Figure.PRODUCER_BROKERS, 2.0);
    }

    /** Averages of Connect are not numbers before the first transaction, and after a minute without one. */
    @Test
    void knowsAnExactlyOnceTaskThatHasNoTransactions() throws Exception {
        Map<String, Object> commits = Map.of("offset-commit-avg-time-ms", 4.0);
        register(
                SOURCE + "shop,task=0", Map.of("transaction-size-avg", Double.NaN, "transaction-size-max", Double.NaN));
        register("kafka.connect:type=connector-task-metrics,connector=shop,task=0", commits);
        register(SOURCE + "shop,task=1", Map.of("source-record-poll-rate", 5.0));
        register("kafka.connect:type=connector-task-metrics,connector=shop,task=1", commits);

        TaskSnapshot exactlyOnce = read(new TaskKey("shop", 0), PLAIN);

        assertThat(exactlyOnce.isExactlyOnce()).isTrue();
        assertThat(exactlyOnce.figures()).isEqualTo(Map.of(Figure.COMMIT_AVG_MS, 4.0));
        assertThat(Waterfall.of(exactlyOnce, PLAIN)).containsEntry("commit", 4.0);
        assertThat(read(new TaskKey("shop", 1), PLAIN).isExactlyOnce()).isFalse();
    }

    /** Kafka's MBeans write a warning with a stack trace for each attribute that they are asked for and do not have. */
    @Test
    void asksOnlyForAttributesThatTheBeanHas() throws Exception {
        register("kafka.connect:type=plugins,connector=shop,task=0", Map.of("linger-ms", 20.0, "batch-size", 5.0));
        register("kafka.connect:type=plugins,connector=shop,task=0,reason=events", Map.of("flush-total", 900.0));

        assertThat(read(new TaskKey("shop", 0), OURS).figures()).isEqualTo(Map.of(Figure.LINGER_MS, 20.0));
        assertThat(absent).isEmpty();
    }

    /** A metric that a task gets is shown: what operators are told to look at is on the page. */
    @Test
    void readsEveryFigureThatATaskPublishesOnce() {
        List<String> read =
                Figure.of(Bean.MICROBATCH).stream().map(Figure::attribute).toList();
        assertThat(read)
                .containsAll(Arrays.stream(Metric.values())
                        .filter(metric -> metric.tag().isEmpty())
                        .map(Metric::label)
                        .toList());
    }

    @Test
    void readsTheBeansOfDebeziumThatBelongToTheTask() throws Exception {
        String bean = "debezium.sql_server:type=connector-metrics,context=streaming,server=shop,";
        register(bean + "task=0,database=a", Map.of("MilliSecondsBehindSource", 10L, "Connected", true));
        register(bean + "task=0,database=b", Map.of("MilliSecondsBehindSource", 30L, "Connected", true));
        register(bean + "task=1,database=c", Map.of("MilliSecondsBehindSource", 900L, "Connected", true));
        register(
                "debezium.sql_server:type=connector-metrics,context=streaming,server=other,task=0",
                Map.of("MilliSecondsBehindSource", 700L));

        register(
                "debezium.sql_server:type=connector-metrics,context=snapshot,server=shop,task=0",
                Map.of("SnapshotRunning", true));

        assertThat(read(new TaskKey("c", 0), DEBEZIUM).figures())
                .isEqualTo(Map.of(
                        Figure.DEBEZIUM_BEHIND_MS,
                        30.0,
                        Figure.DEBEZIUM_CONNECTED,
                        1.0,
                        Figure.DEBEZIUM_SNAPSHOT_RUNNING,
                        1.0));
        assertThat(read(new TaskKey("c", 0), ConnectorSettings.UNKNOWN).figures())
                .isEmpty();
    }

    /** A look for names visits every MBean of a domain: with many tasks it must not be one for each of them. */
    @Test
    void looksForNamesOnceForEachKindAndOnlyForTasksThatMayHaveThem() throws Exception {
        List<TaskKey> keys = new ArrayList<>();
        for (String connector : List.of("ours", "other", "plain")) {
            for (int task = 0; task < 3; task++) {
                keys.add(new TaskKey(connector, task));
                String name = "kafka.connect:type=plugins,connector=" + connector + ",task=" + task;
                register(name + ",stripe=0", Map.of("stripe-events", task + 1.0));
                register(name + ",reason=full", Map.of("http-refused-total", 2.0));
            }
        }
        Map<String, ConnectorSettings> settings = Map.of("ours", OURS, "other", OURS, "plain", PLAIN);

        List<TaskSnapshot> tasks = reader.read(keys, settings::get, EnumSet.allOf(Bean.class));

        assertThat(patterns)
                .containsExactlyInAnyOrder(
                        NODES,
                        "kafka.connect:type=plugins,connector=*,task=*,stripe=*",
                        "kafka.connect:type=plugins,connector=*,task=*,reason=*");
        assertThat(tasks).extracting(TaskSnapshot::key).isEqualTo(keys);
        assertThat(tasks.get(5).figures()).isEqualTo(Map.of(Figure.STRIPE_EVENTS, 3.0, Figure.HTTP_REFUSED_TOTAL, 2.0));
        assertThat(tasks.get(8).figures()).as("of a plain connector").isEmpty();
    }

    @Test
    void looksOnlyForTheBrokersOfAPlainConnector() {
        assertThat(read(new TaskKey("plain", 0), PLAIN).figures()).isEmpty();
        assertThat(patterns).containsExactly(NODES);
        assertThat(beans).noneMatch(name -> name.contains("type=plugins")).hasSize(4);
    }

    /** The sampler does not know the settings before the console is asked. */
    @Test
    void readsOnlyTheKindsThatAreWanted() throws Exception {
        register(SOURCE + "shop,task=0", Map.of("source-record-poll-rate", 12.5));
        register("kafka.connect:type=plugins,connector=shop,task=0", Map.of("linger-ms", 20.0));
        assertThat(reader.read(List.of(new TaskKey("shop", 0)), connector -> ConnectorSettings.UNKNOWN, History.KINDS)
                        .get(0)
                        .figures())
                .isEqualTo(Map.of(Figure.RATE, 12.5, Figure.LINGER_MS, 20.0));
        assertThat(beans).hasSize(3);
        assertThat(patterns).isEmpty();
    }

    @Test
    void losesOnlyTheFiguresOfABrokenBean() throws Exception {
        register(SOURCE + "shop,task=0", Map.of("source-record-poll-rate", 12.5));
        register("kafka.connect:type=connector-task-metrics,connector=shop,task=0", null);

        assertThat(read(new TaskKey("shop", 0), ConnectorSettings.UNKNOWN).figures())
                .isEqualTo(Map.of(Figure.RATE, 12.5));
    }

    @Test
    void readsABoundedNumberOfTasksAndBeans() throws Exception {
        for (int i = 0; i < TaskReader.MAX_TASKS + 5; i++) {
            register(SOURCE + "shop,task=" + i, Map.of());
        }
        for (int i = 0; i < TaskReader.MAX_BEANS + 5; i++) {
            register("kafka.connect:type=plugins,connector=shop,task=0,stripe=" + i, Map.of("stripe-events", 1.0));
        }
        assertThat(reader.tasks()).hasSize(TaskReader.MAX_TASKS);
        assertThat(read(new TaskKey("shop", 0), OURS).get(Figure.STRIPE_EVENTS)).isEqualTo(TaskReader.MAX_BEANS);
    }
}
