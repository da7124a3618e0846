"""Tidemark: a client of the Tidemark market-data server.

Indicators, bars and histories of digital assets, as rows or as pandas, Polars and Arrow
tables:

>>> from tidemark import Tidemark
>>> tm = Tidemark('http://127.0.0.1:8080')
>>> now = tm.listing(where='rsi14 < 40', incl_cols='rsi14').to_pandas()  # one row per asset
>>> bars = tm.bars(symbol='ALDM').to_pandas()  # one row per day: open, high, low, close, volume
>>> closes = tm.panel('close', symbol=['ALDM', 'HRBD']).to_pandas()  # one column per asset

`help(Tidemark)` describes the client and its methods, `tidemark.types` the columns and
documents.
"""

from .client import Reply, Tidemark
from .closes import Closes
from .errors import ApiError, NetworkError, TidemarkError
from .events import ChangesEvent, EventStream, PublicationEvent, RowsEvent
from .export import Export
from .expression import Expression, column, where
from .panel import Panel
from .retry import RetryDelay, retry_delay
from .rows import Page, Rows

__version__ = '0.1.0'

__all__ = [
    'ApiError',
    'ChangesEvent',
    'Closes',
    'EventStream',
    'Export',
    'Expression',
    'NetworkError',
    'Page',
    'Panel',
    'PublicationEvent',
    'Reply',
    'RetryDelay',
    'Rows',
    'RowsEvent',
    'Tidemark',
    'TidemarkError',
    'column',
    'retry_delay',
    'where',
]
