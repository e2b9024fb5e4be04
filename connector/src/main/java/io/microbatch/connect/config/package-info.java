/**
 * The connector's configuration: one fragment per stage, each with its keys, their documentation and a typed record,
 * composed into one {@link org.apache.kafka.common.config.ConfigDef}. Imports nothing else of the project.
 *
 * <p>Every number carries its unit in its key. No message ever contains a configured value that could be a secret.
 */
package io.microbatch.connect.config;
