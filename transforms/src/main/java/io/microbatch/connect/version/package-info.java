/** The version of this plugin: what its connectors, transforms and converters answer. */
package io.microbatch.connect.version;
