/**
 * A source connector that deals its sequences out to as many tasks as it may have, for integration tests: packed into a
 * jar of its own and installed with the archive under test. Uses nothing but the Connect API.
 */
package io.microbatch.connect.it.partitioned;
