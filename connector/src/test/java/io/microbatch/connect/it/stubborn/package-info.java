/**
 * A source connector that hangs on demand, for integration tests: packed into a jar of its own and installed beside the
 * archive under test, as anybody's connector would be. Uses nothing but the Connect API.
 */
package io.microbatch.connect.it.stubborn;
