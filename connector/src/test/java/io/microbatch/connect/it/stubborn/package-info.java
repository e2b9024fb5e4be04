/**
 * A source connector that hangs on command, for integration tests. It is packed into a jar of its own and installed
 * with the archive under test, like a connector of another vendor. Uses nothing but the Connect API.
 */
package io.microbatch.connect.it.stubborn;
