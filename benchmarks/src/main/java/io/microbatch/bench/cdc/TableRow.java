package io.microbatch.bench.cdc;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.microbatch.bench.rows.LoadPhase;

/**
 * One row of the table, as the table has it or as a change event carries it. Equal when every column is.
 *
 * @param seq ascends per account in the order of the commits
 * @param phase the {@link LoadPhase} that wrote it
 */
@JsonIgnoreProperties(ignoreUnknown = true)
record TableRow(long id, int account, long seq, int phase, String payload) {}
