package io.microbatch.connect.docs;

import io.microbatch.connect.metrics.Metric;
import io.microbatch.connect.metrics.MetricName;
import io.microbatch.connect.upstream.http.HttpMetric;
import io.microbatch.connect.upstream.outbox.OutboxMetric;

/** {@code docs/metrics.md} from {@link Metric}, {@link HttpMetric} and {@link OutboxMetric}. Stateless. */
final class MetricsPage {

    private static final String TOP = """
            # Metrics

            Generated from the code; a test fails when this page and the code differ. To regenerate it:
            `mvn test -pl transforms,testbed,connector -Dtest=ReferenceDocsTest \
            -Dsurefire.failIfNoSpecifiedTests=false -Ddocs.write=true`.

            Each task has an MBean `kafka.connect:type=plugins,connector=<name>,task=<number>` whose attributes are the
            metrics without a tag. For a metric with a tag there is one further MBean per value of the tag, with the tag
            at the end of its name. A worker from 4.1 on publishes them through its own metrics (KIP-877), so that every
            reporter of the worker has them. On an older worker the task registers MBeans of the same names itself.

            Names that end in `-total` only increase while a task runs; take their rate. "The last second" is the last
            second in which the task was polled. "The last minute" is the present ten seconds and the fifty before. A
            task that was not polled for a minute, because it is paused or waits for Kafka, has no figures of it. What a
            figure means for you, what to do about it, and how to see it in Prometheus and Grafana:
            [operations](operations.md).
            """;

    private MetricsPage() {}

    static String text() {
        return TOP
                + tables("", Metric.values(), "", "reason", "stripe")
                + tables(" with `upstream.type=http`", HttpMetric.values(), "", "status", "reason")
                + tables(" with `upstream.type=outbox`", OutboxMetric.values(), "");
    }

    private static String tables(String of, MetricName[] metrics, String... tags) {
        StringBuilder tables = new StringBuilder();
        for (String tag : tags) {
            tables.append(table("One per task" + title(tag) + of, metrics, tag));
        }
        return tables.toString();
    }

    private static String title(String tag) {
        return switch (tag) {
            case "" -> "";
            case "stripe" -> " and `stripe`, from 0";
            default -> " and `" + tag + "`";
        };
    }

    private static String table(String title, MetricName[] metrics, String tag) {
        StringBuilder table =
                new StringBuilder("\n## ").append(title).append("\n\n| metric | unit | meaning |\n|---|---|---|\n");
        for (MetricName metric : metrics) {
            if (metric.tag().equals(tag)) {
                table.append("| `")
                        .append(metric.label())
                        .append("` | ")
                        .append(metric.unit())
                        .append(" | ")
                        .append(metric.description())
                        .append(" |\n");
            }
        }
        return table.toString();
    }
}
