/**
 * Single message transforms that use the pressure or read bulk records, and the converters for dead letters. A
 * transform belongs to one task and runs on its thread. It does not change the record that it gets, and may run twice
 * on a record.
 */
package io.microbatch.connect.transforms;
