package io.microbatch.connect.docs;

import io.microbatch.connect.metrics.Metric;

/** Generates {@code docs/metrics.md} from {@link Metric}. Stateless. */
final class MetricsPage {

    private static final String TOP = """
            # Metrics

            Generated from the code. A test fails when this page and the code differ. To write it again:
            `mvn test -pl transforms,testbed,connector -Dtest=ReferenceDocsTest \
            -Dsurefire.failIfNoSpecifiedTests=false -Ddocs.write=true`.

            Each task has an MBean `kafka.connect:type=plugins,connector=<name>,task=<number>` whose attributes are the
            metrics below. Each value of a tag has an MBean of its own, with the tag at the end of its name. A worker
            from 4.1 on publishes the metrics through its own (KIP-877), so that every reporter of the worker has them.
            On an older worker the task registers MBeans of the same names itself.

            Metrics that end in `-total` are counters that start at zero with the task: use their rate. "The last
            second" is the last second in which the task was polled. [Operations](operations.md) explains what the
            values mean, what to do about them, and how to see them in Prometheus and Grafana.
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
