/**
 * What the connector and the transforms share: classes of other plugin directories, records of any connector, the
 * version of this plugin.
 */
package io.microbatch.connect.common;
