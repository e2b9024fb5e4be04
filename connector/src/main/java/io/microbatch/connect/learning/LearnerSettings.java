package io.microbatch.connect.learning;

import io.microbatch.connect.control.ControlSettings;
import io.microbatch.connect.pressure.Objective;

/**
 * The operator's settings that learning uses. Immutable.
 *
 * @param control the budgets, the margin and the upper limit of maximum records (N)
 * @param objective what is preferred among the settings that keep the budget
 * @param windowMs the length of a whole window, in milliseconds
 */
public record LearnerSettings(ControlSettings control, Objective objective, long windowMs) {}
