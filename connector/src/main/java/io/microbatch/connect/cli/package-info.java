/** The command line of the archive. No worker runs it. It needs the jars of the archive and none of Kafka's. */
package io.microbatch.connect.cli;
