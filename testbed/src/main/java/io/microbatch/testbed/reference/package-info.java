/**
 * Source connectors modelled on the published behaviour of families of connectors: when they acknowledge, how they
 * wait, what they return. They read a small queue server outside of the worker, so that acknowledgements survive the
 * worker. Packed as a plugin of their own. The product does not use them.
 */
package io.microbatch.testbed.reference;
