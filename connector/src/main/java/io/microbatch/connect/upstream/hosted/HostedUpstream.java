package io.microbatch.connect.upstream.hosted;

import io.microbatch.connect.common.Plugin;
import io.microbatch.connect.config.BatchConfig;
import io.microbatch.connect.config.HostedConfig;
import io.microbatch.connect.upstream.Upstream;
import io.microbatch.connect.upstream.hosted.debezium.DebeziumDefaults;
import java.util.ArrayList;
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
 * its own settings. Its answers about a key are returned under the key that the user wrote. Threads as in
 * {@link Upstream}.
 */
public final class HostedUpstream implements Upstream {

    /** Keys of hosted definitions that belong to the worker. */
    private static final Set<String> WORKER_KEYS = Set.of("name", "connector.class", "tasks.max");

    /** The name of the exception follows: the message of one for a missing class is the name of that class. */
    private static final String UNABLE = "The hosted connector could not validate its settings: ";

    private final TaskConfigsQuestion question;
    private SourceConnector running;
    private HostedConnectorContext runningContext;
    private String connectorClass;

    /** Creates the upstream of a connector that is not started. */
    public HostedUpstream() {
        this(new TaskConfigsQuestion());
    }

    HostedUpstream(TaskConfigsQuestion question) {
        this.question = question;
    }

    @Override
    public List<ConfigValue> validate(Map<String, String> connectorConfig) {
        try {
            return ask(connectorConfig, (hosted, own) -> errors(hosted, own, connectorConfig));
        } catch (ConfigException e) {
            return List.of(classError(connectorConfig, e.getMessage()));
        } catch (RuntimeException | LinkageError e) {
            return List.of(classError(connectorConfig, UNABLE + e));
        }
    }

    /**
     * Returns errors only. The worker shows the definitions of our own keys, so that values of other keys are useless
     * to a user interface. Never returns a value, because it may be a secret.
     */
    private static List<ConfigValue> errors(
            SourceConnector hosted, Map<String, String> own, Map<String, String> connectorConfig) {
        HostedSecrets secrets = HostedSecrets.of(hosted, own);
        List<ConfigValue> errors = new ArrayList<>();
        try {
            for (ConfigValue value : hosted.validate(own).configValues()) {
                if (!value.errorMessages().isEmpty() && !WORKER_KEYS.contains(value.name())) {
                    ConfigValue error = new ConfigValue(HostedConfig.writtenKey(connectorConfig, value.name()));
                    value.errorMessages().forEach(message -> error.addErrorMessage(secrets.hideIn(message)));
                    errors.add(error);
                }
            }
        } catch (RuntimeException e) {
            errors.add(classError(connectorConfig, secrets.hideIn(UNABLE + e)));
        }
        return errors;
    }

    private static ConfigValue classError(Map<String, String> connectorConfig, String message) {
        ConfigValue value = new ConfigValue(HostedConfig.CLASS_CONFIG);
        value.value(connectorConfig.get(HostedConfig.CLASS_CONFIG));
        value.addErrorMessage(message);
        return value;
    }

    @Override
    public void start(Map<String, String> connectorConfig, SourceConnectorContext context) {
        connectorClass = connectorConfig.get(HostedConfig.CLASS_CONFIG);
        runningContext = new HostedConnectorContext(context, question);
        running = HostedClasses.newConnector(connectorClass);
        Map<String, String> own = own(connectorConfig, running);
        under(running, hosted -> {
            hosted.initialize(runningContext);
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
            configs.add(HostedConfig.taskShare(connectorClass, taskClass, hostedTask));
        }
        return configs;
    }

    @Override
    public void stop() {
        question.cancel();
        if (running != null) {
            try {
                under(running, hosted -> {
                    hosted.stop();
                    return null;
                });
            } finally {
                runningContext.removeMetrics();
            }
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
        return DebeziumDefaults.complete(HostedConfig.ownSettings(connectorConfig), hosted.getClass(), forLatency);
    }

    private static <T> T under(SourceConnector hosted, Function<SourceConnector, T> code) {
        return Plugin.under(hosted.getClass().getClassLoader(), () -> code.apply(hosted));
    }
}
