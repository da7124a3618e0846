"""The latest daily closes of several assets."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from .frames import required
from .panel import Panel

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    import pyarrow as pa

    from .types import Closes as ClosesDocument
    from .types import ClosesResult


class Closes:
    """The latest daily closes of several assets: the document of the service, and its tables.

    >>> closes = tm.closes(symbol=['ALDM', 'HRBD'], days=3)
    >>> [each['symbol'] for each in closes]
    ['ALDM', 'HRBD']
    >>> closes.to_pandas().shape
    (3, 2)
    """

    def __init__(self, document: ClosesDocument) -> None:
        #: Closes per asset, unless its history is shorter.
        self.days = document['days']
        #: One entry per asset: `symbol`, `last_day`, and `closes`, oldest first.
        self.result = document['result']

    def __iter__(self) -> Iterator[ClosesResult]:
        return iter(self.result)

    def __len__(self) -> int:
        return len(self.result)

    def __repr__(self) -> str:
        return f'Closes({self.days} days of {len(self)} assets)'

    def to_pandas(self) -> pd.DataFrame:
        """One row per day (a `DatetimeIndex` in UTC) and one column per ticker."""
        return self._panel().to_pandas()

    def to_arrow(self) -> pa.Table:
        """One row per asset and day: `datetimeUTC`, `symbol`, `close`."""
        return self._panel().to_arrow()

    def to_polars(self) -> pl.DataFrame:
        """One row per asset and day: `datetimeUTC`, `symbol`, `close`."""
        return self._panel().to_polars()

    def _panel(self) -> Panel:
        np = required('numpy', 'a table of closes')
        counts = [len(each['closes']) for each in self.result]
        ends = [np.datetime64(each['last_day'], 'D') + 1 for each in self.result]
        times = [np.arange(end - count, end) for end, count in zip(ends, counts, strict=True)]
        values = np.array([close for each in self.result for close in each['closes']], 'f8')
        return Panel(
            'symbol',
            [each['symbol'] for each in self.result],
            np.repeat(np.arange(len(counts), dtype=np.int32), counts),
            np.concatenate(times or [np.empty(0, 'M8[D]')]).astype('M8[ms]'),
            {'close': values},
            is_single=True,
        )
