package io.microbatch.bench.scenario;

import io.microbatch.bench.load.LoadResult;
import java.util.Map;

/**
 * A run and what is reported of it. Immutable.
 *
 * @param result what was read
 * @param figures what the scenario makes of it
 */
record Outcome(LoadResult result, Map<Figure, Double> figures) {}
