/**
 * Moves a running connector under this one and back, over the worker's REST interface. A program of an operator and no
 * part of a worker: it needs the jars of the archive and none of Kafka's.
 */
package io.microbatch.connect.migrate;
