"""Arrow streams of the service as tables of pyarrow, Polars and pandas."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from .arrow_stream import read_columns

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    import pyarrow as pa


def arrow_table(bodies: Sequence[bytes]) -> pa.Table:
    """Refers to the memory of the bodies: nothing is copied."""
    pa = required('pyarrow', 'to_arrow()')
    return pa.concat_tables([pa.ipc.open_stream(pa.py_buffer(body)).read_all() for body in bodies])


def polars_frame(bodies: Sequence[bytes]) -> pl.DataFrame:
    """With pyarrow, numbers and times refer to the memory of the bodies; without it, Polars
    reads the stream itself.
    """
    pl = required('polars', 'to_polars()')
    if optional('pyarrow') is not None:
        return pl.from_arrow(arrow_table(bodies), rechunk=False)
    return pl.concat([pl.read_ipc_stream(body) for body in bodies], rechunk=False)


def pandas_frame(bodies: Sequence[bytes], index: str | None) -> pd.DataFrame:
    """Times are in UTC, a null is NaN.

    `index` names the column that becomes the index, if it is there.
    """
    pd = required('pandas', 'to_pandas()')
    if optional('pyarrow') is not None:
        frame = arrow_table(bodies).to_pandas(split_blocks=True, self_destruct=True)
    else:
        columns = read_columns(list(bodies))
        times = {
            name: pd.DatetimeIndex(each).tz_localize('UTC') for name, each in columns.items() if each.dtype.kind == 'M'
        }
        frame = pd.DataFrame({**columns, **times}, copy=False)
    return frame.set_index(index) if index in frame.columns else frame


def required(package: str, by: str) -> Any:
    """The module; says how to install it if it is missing."""
    module = optional(package)
    if module is None:
        raise ImportError(f'{by} needs {package}: pip install {package}')
    return module


def optional(package: str) -> Any | None:
    """The module, or None if it is not installed."""
    try:
        module = importlib.import_module(package)
        if package == 'pyarrow':
            importlib.import_module('pyarrow.ipc')
    except ImportError:
        return None
    return module
