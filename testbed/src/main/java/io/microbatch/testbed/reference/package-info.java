/**
 * Source connectors modelled on the published behaviour of families of connectors: when they acknowledge, how they
 * wait, what they return. They read a small queue server that lives outside the worker, so that what a task
 * acknowledged is known to survive the worker. Packed as a plugin of their own; nothing here is used by the product.
 */
package io.microbatch.testbed.reference;
