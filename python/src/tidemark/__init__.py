"""Tidemark: a client of the Tidemark market-data server.

Indicators, bars and histories of digital assets, as rows or as pandas, Polars and Arrow
tables:

from tidemark import Tidemark

tm = Tidemark('http://127.0.0.1:8080', 'KEY') tm.listing(where='rsi14 < 30',
incl_cols='rsi14').to_pandas() # now, one row per asset tm.bars(symbol='BTC').to_pandas() #
OHLCV of one asset, by time tm.panel('close', symbol=['BTC', 'ETH']).to_pandas() # assets ×
time

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
