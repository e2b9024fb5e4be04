package io.microbatch.connect.learning;

import io.microbatch.connect.control.ControlSettings;

/**
 * What the operator set, as far as learning needs it. Immutable.
 *
 * @param control the budgets, the margin and the most events of a batch
 * @param objective what is preferred among the settings that keep the budget
 * @param windowMs the length of a whole window, in milliseconds
 */
public record LearnerSettings(ControlSettings control, BatchObjective objective, long windowMs) {}
