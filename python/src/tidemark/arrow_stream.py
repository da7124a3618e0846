"""Reads the Arrow IPC streams of the service into NumPy arrays, for machines with pandas and
without pyarrow.

It knows the types that the service writes: doubles, 64-bit integers, timestamps in
milliseconds, booleans and texts, without compression and dictionaries (Arrow columnar
format, "Serialization and Interprocess Communication").
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

#: The numbers of Schema.fbs and Message.fbs.
SCHEMA, RECORD_BATCH = 1, 3
INTEGER, DOUBLE, TEXT, FLAG, TIMESTAMP = 2, 3, 5, 6, 10


def read_columns(bodies: list[bytes]) -> dict[str, Any]:
    """The columns of streams with the same schema, as arrays that pandas takes.

    A null is NaN, NaT or None.
    """
    import numpy as np

    parts: dict[str, list[Any]] = {}
    for body in bodies:
        fields: list[tuple[str, int]] = []
        for kind, table, start in _messages(body):
            if kind == SCHEMA:
                fields = _fields(table)
                for name, _ in fields:
                    parts.setdefault(name, [])
            elif kind == RECORD_BATCH:
                for (name, _), array in zip(fields, _arrays(fields, table, body, start), strict=True):
                    parts[name].append(array)
    empty = {name: np.empty(0, _dtype(of)) for name, of in fields}
    return {name: np.concatenate(arrays) if arrays else empty[name] for name, arrays in parts.items()}


class _Table:
    """A table of FlatBuffers: a list of offsets to its fields, which stands elsewhere."""

    def __init__(self, data: bytes, at: int) -> None:
        self._data = data
        self._at = at
        self._fields = at - _int32(data, at)

    def place(self, field: int) -> int | None:
        """Where a field is; None if it has its default."""
        (size,) = struct.unpack_from('<H', self._data, self._fields)
        if 4 + 2 * field >= size:
            return None
        (offset,) = struct.unpack_from('<H', self._data, self._fields + 4 + 2 * field)
        return self._at + offset if offset else None

    def number(self, field: int, form: str) -> int:
        place = self.place(field)
        return 0 if place is None else int(struct.unpack_from(form, self._data, place)[0])

    def table(self, field: int) -> _Table:
        return _Table(self._data, self._target(field))

    def text(self, field: int) -> str:
        at = self._target(field)
        return self._data[at + 4 : at + 4 + _int32(self._data, at)].decode()

    def tables(self, field: int) -> list[_Table]:
        at = self._target(field)
        places = [at + 4 + 4 * i for i in range(_int32(self._data, at))]
        return [_Table(self._data, place + _int32(self._data, place)) for place in places]

    def pairs(self, field: int) -> list[tuple[int, int]]:
        """Structs of two 64-bit integers."""
        at = self._target(field)
        count = _int32(self._data, at)
        numbers = struct.unpack_from(f'<{2 * count}q', self._data, at + 4)
        return list(zip(numbers[::2], numbers[1::2], strict=True))

    def _target(self, field: int) -> int:
        place = self.place(field)
        if place is None:
            raise ValueError('the stream has a part without contents')
        return place + _int32(self._data, place)


def _messages(body: bytes) -> Iterator[tuple[int, _Table, int]]:
    """The kind of each message, its table, and where its buffers start."""
    at = 0
    while at + 8 <= len(body):
        length = _int32(body, at + 4)
        if length == 0:
            return
        message = _Table(body, at + 8 + _int32(body, at + 8))
        start = at + 8 + length
        yield message.number(1, '<B'), message.table(2), start
        at = start + message.number(3, '<q')
    raise ValueError('the stream is cut off')


def _fields(schema: _Table) -> list[tuple[str, int]]:
    """The name and the type of each column."""
    return [(field.text(0), field.number(2, '<B')) for field in schema.tables(1)]


def _arrays(fields: list[tuple[str, int]], batch: _Table, body: bytes, start: int) -> Iterator[Any]:
    rows = batch.number(0, '<q')
    buffers = iter(batch.pairs(2))

    def buffer() -> memoryview:
        offset, length = next(buffers)
        return memoryview(body)[start + offset : start + offset + length]

    for (_, kind), (_, nulls) in zip(fields, batch.pairs(1), strict=True):
        validity = buffer()
        missing = None if nulls == 0 else ~_bits(validity, rows)
        yield _values(kind, rows, missing, buffer(), buffer() if kind == TEXT else None)


def _values(kind: int, rows: int, missing: Any, first: memoryview, texts: memoryview | None) -> Any:
    import numpy as np

    if texts is not None:
        ends = np.frombuffer(first, '<i4', rows + 1).tolist() if rows else [0]
        array = np.array([str(texts[a:b], 'utf8') for a, b in pairwise(ends)], object)
        if missing is not None:
            array[missing] = None
        return array
    if kind == FLAG:
        flags = _bits(first, rows)
        return flags if missing is None else np.where(missing, None, flags)
    array = np.frombuffer(first, {INTEGER: '<i8', DOUBLE: '<f8', TIMESTAMP: '<M8[ms]'}[kind], rows)
    if missing is None:
        return array
    return np.where(missing, np.datetime64('NaT') if kind == TIMESTAMP else np.nan, array)


def _dtype(kind: int) -> Any:
    return {INTEGER: 'i8', DOUBLE: 'f8', TIMESTAMP: 'M8[ms]', FLAG: 'bool', TEXT: 'O'}[kind]


def _bits(data: memoryview, rows: int) -> Any:
    import numpy as np

    return np.unpackbits(np.frombuffer(data, np.uint8), count=rows, bitorder='little').astype(bool)


def _int32(data: bytes, at: int) -> int:
    return int(struct.unpack_from('<i', data, at)[0])
