/**
 * The connector's configuration. Each stage has a class with its keys, their descriptions and a typed record. {@link
 * io.microbatch.connect.config.MicrobatchConfig} composes them into one {@link
 * org.apache.kafka.common.config.ConfigDef}. Imports nothing else of the project.
 *
 * <p>Every number has its unit in its key. No message contains a configured value that could be a secret.
 */
package io.microbatch.connect.config;
