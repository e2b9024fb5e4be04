package io.microbatch.connect.docs;

import io.microbatch.connect.metrics.Metric;

/** {@code docs/metrics.md} from {@link Metric}. Stateless. */
final class MetricsPage {

    private static final String TOP = """
            # Metrics

            Generated from the code; a test fails when this page and the code differ. To write it anew:
            `mvn test -pl transforms,testbed,connector -Dtest=ReferenceDocsTest -Dsurefire.failIfNoSpecifiedTests=false -Ddocs.write=true`.

            Each task has an MBean `kafka.connect:type=plugins,connector=<name>,task=<number>` whose attributes are the metrics
            below, and one more, with the tag at its end, for each value of a tag. A worker from 4.1 on publishes them through
            its own metrics (KIP-877), so that every reporter of the worker has them; on an older one the task registers MBeans
            of the same names itself.

            Names that end in `-total` only count up while a task runs; take their rate. "The last second" is the last one in
            which the task was polled. What a figure means for you, what to do about it, and how to see it in Prometheus and
            Grafana: [operations](operations.md).
            """;

    private MetricsPage() {}

    static String text() {
        return TOP
                + table("One per task", "")
                + table("One per task and `reason`", "reason")
                + table("One per task and `stripe`, from 0", "stripe");
    }

    private static String table(String title, String tag) {
        StringBuilder table =
                new StringBuilder("\n## ").append(title).append("\n\n| metric | unit | meaning |\n|---|---|---|\n");
        for (Metric metric : Metric.values()) {
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
