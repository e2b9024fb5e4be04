#!/usr/bin/env python3
"""Prints the events of a bulk record, as docs/bulk-format.md specifies it, from a file or the standard input.

    read_bulk.py record.bin
    some-command | read_bulk.py

A line an event: timestamp, key and value in hex, "-" for none and '""' for empty. Exits with 1 and a message if the
bytes are not a bulk record. Needs Python 3 and nothing else.
"""

import struct
import sys

KEYS, TIMESTAMPS, NULL_VALUES = 1, 2, 4
NO_TIMESTAMP = -1


class BulkFormatError(ValueError):
    """The bytes are not a bulk record."""


def crc32c_table():
    table = []
    for number in range(256):
        for _ in range(8):
            number = (number >> 1) ^ (0x82F63B78 if number & 1 else 0)
        table.append(number)
    return table


CRC32C = crc32c_table()


def crc32c(*parts):
    crc = 0xFFFFFFFF
    for part in parts:
        for byte in part:
            crc = CRC32C[(crc ^ byte) & 0xFF] ^ (crc >> 8)
    return crc ^ 0xFFFFFFFF


def varint(data, at, end, max_bytes):
    """The varint at this offset, and the offset behind it."""
    number = 0
    for i in range(min(max_bytes, end - at)):
        byte = data[at + i]
        number |= (byte & 0x7F) << (7 * i)
        if byte < 0x80 and number < 1 << 64:
            return number, at + i + 1
    raise BulkFormatError(f"the number at byte {at} has no end")


def require(condition, problem):
    if not condition:
        raise BulkFormatError(problem)


def read_bulk(data):
    """Yields the events as (timestamp or None, key or None, value or None)."""
    require(len(data) >= 12 and data[:2] == b"\xb5\x62", "not a bulk record")
    version, flags, checksum, count = struct.unpack(">BBII", data[2:12])
    require(version == 1, f"version {version}")
    require(not flags & TIMESTAMPS or len(data) >= 20, "too short for its header")
    require(checksum == crc32c(data[:4], memoryview(data)[8:]), "the checksum is not that of the bytes")
    require(flags <= KEYS | TIMESTAMPS | NULL_VALUES, f"flags {flags}")
    base, at = (struct.unpack(">q", data[12:20])[0], 20) if flags & TIMESTAMPS else (0, 12)
    require(base >= 0, "the base time is before 1970")
    least = 1 + bin(flags).count("1")
    require(count < 1 << 31 and count * least <= len(data) - at, f"{count} events cannot be in this record")
    for number in range(count):
        size, at = varint(data, at, len(data), 5)
        end = at + size
        require(end <= len(data), f"event {number} goes beyond the record")
        yield read_event(data, at, end, flags, base)
        at = end
    require(at == len(data), f"{len(data) - at} bytes after the last event")


def read_event(data, at, end, flags, base):
    timestamp = key = None
    if flags & TIMESTAMPS:
        zigzag, at = varint(data, at, end, 10)
        time = base + ((zigzag >> 1) ^ -(zigzag & 1))
        require(NO_TIMESTAMP <= time < 1 << 63, "a timestamp is out of range")
        timestamp = None if time == NO_TIMESTAMP else time
    if flags & KEYS:
        size, at = varint(data, at, end, 5)
        if size > 0:
            require(size - 1 <= end - at, "a key goes beyond its event")
            key = data[at:at + size - 1]
            at += size - 1
    if flags & NULL_VALUES:
        require(at < end and (data[at] == 1 or data[at] == 0 and at + 1 == end), "a value neither is nor is null")
        if data[at] == 0:
            return timestamp, key, None
        at += 1
    return timestamp, key, data[at:end]


def text(field):
    return "-" if field is None else field.hex() or '""'


def main():
    if len(sys.argv) > 2:
        sys.exit(__doc__)
    with open(sys.argv[1], "rb") if len(sys.argv) == 2 else sys.stdin.buffer as source:
        data = source.read()
    try:
        for timestamp, key, value in list(read_bulk(data)):
            print("-" if timestamp is None else timestamp, text(key), text(value))
    except BulkFormatError as problem:
        sys.exit(f"read_bulk: {problem}")


if __name__ == "__main__":
    main()
