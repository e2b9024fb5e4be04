/** How to use what is installed in other plugin directories of the worker. */
package io.microbatch.connect.plugin;
