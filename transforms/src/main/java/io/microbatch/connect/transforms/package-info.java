/**
 * Single message transforms around the pressure: what a record knows of its batch, what a stream's pressure is, where
 * to send it by that. A transform belongs to one task and runs on its thread; none changes the record that it is given,
 * and each may run twice on one. And the header converter for records that are bytes but for what transforms add.
 */
package io.microbatch.connect.transforms;
