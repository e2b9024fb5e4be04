/**
 * Code that connector and transforms share: loading of other plugins' classes, sizes of records, the plugin's version.
 */
package io.microbatch.connect.common;
