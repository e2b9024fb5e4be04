/**
 * A source connector that assigns its sequences to as many tasks as it may have, for integration tests. It is packed
 * into a jar of its own and installed with the archive under test. Uses nothing but the Connect API.
 */
package io.microbatch.connect.it.partitioned;
