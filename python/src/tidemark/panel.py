"""Panels: one number, or several, for each time and each of several assets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .arrow_stream import read_columns
from .frames import required

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    import pyarrow as pa

TIME = 'datetimeUTC'


@dataclass(frozen=True)
class Panel:
    """Numbers by time and asset.

    >>> panel = tm.panel('close', symbol=['ALDM', 'HRBD'], from_='2026-06-29')
    >>> panel.to_pandas()['ALDM'].tolist()
    [80458.7, 82725.8]
    >>> panel.to_polars().columns
    ['datetimeUTC', 'symbol', 'close']
    """

    #: `symbol` or `id`: how the assets are named.
    asset_column: str
    #: The assets, in the order in which they were named.
    assets: list[str]
    #: One number per row: the place of the asset in `assets`.
    codes: Any
    #: One time per row, UTC.
    times: Any
    #: One array per column, with NaN for null.
    columns: dict[str, Any]
    #: A frame has one level of column names if the program asked for one column by name.
    is_single: bool

    def __repr__(self) -> str:
        return f'Panel({", ".join(self.columns)}: {len(self.assets)} assets, {len(self.times)} rows)'

    def to_pandas(self) -> pd.DataFrame:
        """One row per time (a `DatetimeIndex` in UTC, oldest first) and one column per asset.

        A panel of a list of columns has two levels of column names: column, asset. Where an
        asset has no value, it is NaN.
        """
        np, pd = required('numpy', 'to_pandas()'), required('pandas', 'to_pandas()')
        times, rows = np.unique(self.times, return_inverse=True)
        index = pd.DatetimeIndex(times, name=TIME).tz_localize('UTC')
        frames = {}
        for name, values in self.columns.items():
            cells = np.full((len(self.assets), len(times)), np.nan)
            cells[self.codes, rows] = values
            frames[name] = pd.DataFrame(cells.T, index, pd.Index(self.assets, name=self.asset_column), copy=False)
        if self.is_single:
            return next(iter(frames.values()))
        return pd.concat(frames, axis=1, names=['column', self.asset_column])

    def to_arrow(self) -> pa.Table:
        """One row per asset and time: the time, the asset, the columns."""
        pa = required('pyarrow', 'to_arrow()')
        names = pa.DictionaryArray.from_arrays(pa.array(self.codes), pa.array(self.assets, pa.string()))
        columns = {name: pa.array(values, from_pandas=True) for name, values in self.columns.items()}
        times = pa.array(self.times).cast(pa.timestamp('ms', 'UTC'))
        return pa.table({TIME: times, self.asset_column: names.cast(pa.string()), **columns})

    def to_polars(self) -> pl.DataFrame:
        """One row per asset and time: the time, the asset, the columns."""
        pl = required('polars', 'to_polars()')
        names = pl.Series(self.assets, dtype=pl.String).gather(self.codes)
        times = pl.Series(self.times).dt.replace_time_zone('UTC')
        columns = {name: pl.Series(values, nan_to_null=True) for name, values in self.columns.items()}
        return pl.DataFrame({TIME: times, self.asset_column: names, **columns})


def panel_of_streams(
    asset_column: str, assets: list[str], bodies: Sequence[list[bytes]], columns: Sequence[str], is_single: bool
) -> Panel:
    """The panel of one Arrow stream, or several, per asset."""
    np = required('numpy', 'panel()')
    parts = [read_columns(each) for each in bodies]
    codes = np.repeat(np.arange(len(assets), dtype=np.int32), [len(part[TIME]) for part in parts])
    joined = {name: np.concatenate([part[name] for part in parts] or [np.empty(0)]) for name in (TIME, *columns)}
    times = joined.pop(TIME).astype('M8[ms]')
    values = {name: _numbers(name, each) for name, each in joined.items()}
    return Panel(asset_column, assets, codes, times, values, is_single)


def panel_of_table(table: pa.Table, columns: Sequence[str], is_single: bool) -> Panel:
    """The panel of a table with the columns `id` and `datetimeUTC`."""
    encoded = table['id'].combine_chunks().dictionary_encode()
    if hasattr(encoded, 'combine_chunks'):
        encoded = encoded.combine_chunks()
    codes, assets = encoded.indices.to_numpy(), encoded.dictionary.to_pylist()
    times = table[TIME].cast('timestamp[ms]').to_numpy()
    values = {name: _numbers(name, table[name].to_numpy()) for name in columns}
    return Panel('id', assets, codes, times, values, is_single)


def _numbers(name: str, values: Any) -> Any:
    if values.dtype.kind not in 'fi':
        raise TypeError(f'a panel has numbers; {name} is not a number')
    return values.astype('f8', copy=False)
