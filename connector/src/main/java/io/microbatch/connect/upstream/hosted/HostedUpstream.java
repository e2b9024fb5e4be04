package io.microbatch.connect.upstream.hosted;

import io.microbatch.connect.config.BatchConfig;
import io.microbatch.connect.config.HostedConfig;
import io.microbatch.connect.plugin.Plugin;
import io.microbatch.connect.upstream.Upstream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.ConfigValue;
import org.apache.kafka.connect.source.ConnectorTransactionBoundaries;
import org.apache.kafka.connect.source.ExactlyOnceSupport;
import org.apache.kafka.connect.source.SourceConnector;
import org.apache.kafka.connect.source.SourceConnectorContext;

/**
 * The connector side of a hosted connector. Every question goes to a hosted instance under its own class loader, with
 * its settings as it knows them, and what it answers about a key comes back under the key that the user wrote.
 */
public final class HostedUpstream implements Upstream {

    /** Keys that hosted definitions repeat and that belong to the worker. */
    private static final Set<String> WORKER_KEYS = Set.of("name", "connector.class", "tasks.max");

    private final TaskConfigsQuestion question;
    private SourceConnector running;

    /** Of a connector that is not started. */
    public HostedUpstream() {
        this(new TaskConfigsQuestion());
    }

    HostedUpstream(TaskConfigsQuestion question) {
        this.question = question;
    }

    @Override
    public List<ConfigValue> validate(Map<String, String> connectorConfig) {
        try {
            List<ConfigValue> prefixed = new ArrayList<>();
            List<ConfigValue> answers =
                    ask(connectorConfig, (hosted, own) -> hosted.validate(own)).configValues();
            for (ConfigValue value : answers) {
                if (!WORKER_KEYS.contains(value.name())) {
                    prefixed.add(prefix(value));
                }
            }
            return prefixed;
        } catch (ConfigException e) {
            return List.of(classError(connectorConfig, e.getMessage()));
        } catch (RuntimeException | LinkageError e) {
            return List.of(classError(
                    connectorConfig, "The hosted connector could not validate its settings: " + e.getMessage()));
        }
    }

    private static ConfigValue prefix(ConfigValue value) {
        ConfigValue prefixed = new ConfigValue(
                HostedConfig.PREFIX + value.name(),
                value.value(),
                value.recommendedValues(),
                new ArrayList<>(value.errorMessages()));
        prefixed.visible(value.visible());
        return prefixed;
    }

    private static ConfigValue classError(Map<String, String> connectorConfig, String message) {
        ConfigValue value = new ConfigValue(HostedConfig.CLASS_CONFIG);
        value.value(connectorConfig.get(HostedConfig.CLASS_CONFIG));
        value.addErrorMessage(message);
        return value;
    }

    @Override
    public void start(Map<String, String> connectorConfig, SourceConnectorContext context) {
        running = HostedClasses.newConnector(connectorConfig.get(HostedConfig.CLASS_CONFIG));
        Map<String, String> own = own(connectorConfig, running);
        under(running, hosted -> {
            hosted.initialize(new HostedConnectorContext(context, question));
            hosted.start(own);
            return null;
        });
    }

    @Override
    public List<Map<String, String>> taskConfigs(int maxTasks) {
        String taskClass = running.taskClass().getName();
        List<Map<String, String>> configs = new ArrayList<>();
        SourceConnector asked = running;
        for (Map<String, String> hostedTask :
                question.ask(maxTasks, () -> under(asked, hosted -> hosted.taskConfigs(maxTasks)))) {
            Map<String, String> config = new LinkedHashMap<>(HostedConfig.prefixed(hostedTask));
            config.put(HostedConfig.TASK_CLASS, taskClass);
            configs.add(config);
        }
        return configs;
    }

    @Override
    public void stop() {
        question.cancel();
        if (running != null) {
            under(running, hosted -> {
                hosted.stop();
                return null;
            });
        }
    }

    @Override
    public ExactlyOnceSupport exactlyOnceSupport(Map<String, String> connectorConfig) {
        return ask(connectorConfig, SourceConnector::exactlyOnceSupport);
    }

    @Override
    public ConnectorTransactionBoundaries canDefineTransactionBoundaries(Map<String, String> connectorConfig) {
        return ask(connectorConfig, SourceConnector::canDefineTransactionBoundaries);
    }

    @Override
    public boolean alterOffsets(Map<String, String> connectorConfig, Map<Map<String, ?>, Map<String, ?>> offsets) {
        return ask(connectorConfig, (hosted, own) -> hosted.alterOffsets(own, offsets));
    }

    @FunctionalInterface
    private interface Question<T> {
        T to(SourceConnector hosted, Map<String, String> own);
    }

    /** Asks an instance that is not started, as the worker does for such questions. */
    private static <T> T ask(Map<String, String> connectorConfig, Question<T> question) {
        SourceConnector hosted = HostedClasses.newConnector(connectorConfig.get(HostedConfig.CLASS_CONFIG));
        Map<String, String> own = own(connectorConfig, hosted);
        return under(hosted, instance -> question.to(instance, own));
    }

    private static Map<String, String> own(Map<String, String> connectorConfig, SourceConnector hosted) {
        boolean forLatency = BatchConfig.isForLatency(connectorConfig);
        return HostedDefaults.complete(HostedConfig.ownSettings(connectorConfig), hosted.getClass(), forLatency);
    }

    private static <T> T under(SourceConnector hosted, Function<SourceConnector, T> code) {
        return Plugin.under(hosted.getClass().getClassLoader(), () -> code.apply(hosted));
    }
}
