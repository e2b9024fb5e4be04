/** The {@code bench matrix} command: the packaged connector on older and newer releases of Kafka, Connect and Java. */
package io.microbatch.bench.matrix;
