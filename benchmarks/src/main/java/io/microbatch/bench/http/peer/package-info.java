/** What ingest by the connector is compared with: a server of its own process with a thread for each request. */
package io.microbatch.bench.http.peer;
