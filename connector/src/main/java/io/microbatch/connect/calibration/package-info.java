/**
 * Calibration remembers, in one SQLite file per task, which batch target and linger worked at each pressure level.
 *
 * <p>It is disposable: no file, no disk, a wrong file or a locked one make the task run on bootstrap values and say so,
 * once, with the cure. Correctness never depends on it, and the poll path never touches it: a single daemon thread,
 * {@link io.microbatch.connect.calibration.CalibrationRecorder}'s, opens, uses and closes the file.
 *
 * <p>{@link io.microbatch.connect.calibration.CalibrationFile} is the face that never throws for a failing file. Behind
 * it the store throws {@code CalibrationException} with a typed
 * {@link io.microbatch.connect.calibration.CalibrationFault}.
 */
package io.microbatch.connect.calibration;
