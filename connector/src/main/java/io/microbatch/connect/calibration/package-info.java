/**
 * Stores a task's calibration in one SQLite file per task: observed windows and the best setting of each pressure
 * level.
 *
 * <p>Calibration is disposable. If the file or the disk does not work, the task uses its bootstrap settings and logs
 * the reason and the remedy once. Delivery never depends on the file, and the poll path never touches it. The daemon
 * thread of {@link io.microbatch.connect.calibration.CalibrationRecorder} opens, uses and closes it.
 *
 * <p>There are three layers: the recorder, {@link io.microbatch.connect.calibration.CalibrationFile}, which never
 * throws for a failing file, and {@code CalibrationStore}, which throws {@code CalibrationException} with a {@code
 * CalibrationFault}.
 */
package io.microbatch.connect.calibration;
