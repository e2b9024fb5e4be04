/**
 * A source connector that returns one event from each poll, for integration tests. It is packed into a jar of its own
 * and installed with the archive under test. Uses nothing but the Connect API.
 */
package io.microbatch.connect.it.steady;
