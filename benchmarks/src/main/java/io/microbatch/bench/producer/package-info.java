/** What a producer alone moves, from one send and one acknowledgement to records of ten thousand events. */
package io.microbatch.bench.producer;
