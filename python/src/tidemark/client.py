"""The client: one method per endpoint."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, cast
from urllib.parse import quote

from ._queries import Queries
from .closes import Closes
from .closing import Closing
from .events import EventStream, PublicationEvent
from .export import Export
from .panel import TIME, Panel
from .panel_reader import PanelReader
from .retry import RetryDelay, retry_delay
from .rows import Rows, Source
from .transport import Response, Transport
from .types import Alerts, Catalog, Explanation, ExportDataset, Profile, TaHistColumn
from .values import names

#: The index of a pandas frame, by dataset.
INDEXES = {
    'ta-cur': 'symbol',
    'ta-hist': TIME,
    'bars': TIME,
    'findings': TIME,
    'actions': TIME,
    'assets': 'id',
    'ta-cur/stats': 'column',
}
OF_ONE_ASSET = ('ta-hist', 'bars')
DEMO_URL = 'http://127.0.0.1:8080'


@dataclass(frozen=True)
class Reply:
    """A response with its body."""

    status: int
    headers: Mapping[str, str]
    content: bytes

    @property
    def text(self) -> str:
        """The body as a text."""
        return self.content.decode()

    def json(self) -> Any:
        """The value that the body is the JSON text of."""
        return json.loads(self.content)


class Tidemark(Queries, Closing):
    """A client of a Tidemark server.

    `url` says where the service is; a path before `/v1` is kept. `key` is the API key, or a
    function that returns it. Without a `url`, both come from the environment: `TIDEMARK_URL`
    and `TIDEMARK_KEY`.

    >>> tm = Tidemark('http://127.0.0.1:8080', 'tdm_DemoProKeyOfTheSimulatedMarket001xsmsd')
    >>> frame = tm.listing(where='rsi14 < 40', incl_cols='rsi14', sort='rsi14').to_pandas()
    >>> frame[['price', 'rsi14']].columns.tolist()
    ['price', 'rsi14']

    `listing`, `history`, `bars`, `assets`, `findings`, `actions`, `stats` and `facets` return `Rows`: a query that
    is sent when it is read, by a loop over its rows, by `page()` or `pages()`, or by
    `to_pandas()`, `to_polars()` or `to_arrow()`. `panel` and `closes` have several assets
    over time, `export` has a whole dataset, `stream` and `events` tell what changes.

    `group` is the group segment of the paths, `timeout` the seconds that a connection may be
    silent, `retry_delay` the rule for repeating a failed request, and `compress` whether
    responses are compressed: by default, unless the service is on this machine.

    A client can be shared by threads. `close()`, or a `with` block, closes its connections.
    """

    def __init__(
        self,
        url: str | None = None,
        key: str | Callable[[], str | None] | None = None,
        *,
        group: str = 'crypto',
        timeout: float = 60.0,
        retry_delay: RetryDelay = retry_delay,
        compress: bool | None = None,
    ) -> None:
        if url is None:
            url = os.environ.get('TIDEMARK_URL', DEMO_URL)
            key = os.environ.get('TIDEMARK_KEY') if key is None else key
        if not isinstance(url, str):
            raise TypeError(f'url is a text such as {DEMO_URL}, not {url!r}')
        if not (key is None or isinstance(key, str) or callable(key)):
            raise TypeError(f'key is a text or a function, not {type(key).__name__}')
        self._url = url
        try:
            self._transport = Transport(url, key, timeout, retry_delay, compress)
        except ValueError as error:
            raise TypeError(f'url: {error}') from None
        self._group = f'/v1/{group}/'

    def __repr__(self) -> str:
        return f'Tidemark({self._url!r})'

    def close(self) -> None:
        """Closes the connections. A later request opens new ones."""
        self._transport.close()

    def asset(self, asset: str) -> Profile:
        """The profile of one asset. `asset` is an id, or a ticker that only one asset has.

        >>> tm.asset('aldm-aldermoor')['name']
        'Aldermoor'
        """
        return cast(Profile, self._json(f'{self._group}assets/{_segment("asset", asset)}', {}))

    profile = asset

    def explain(
        self,
        asset: str,
        column: TaHistColumn | str,
        *,
        as_of: str | date | None = None,
        interval: str | None = None,
        quote: str | None = None,
    ) -> Explanation:
        """How one number was computed: formula, inputs and where they came from, the exact
        value.

        >>> explanation = tm.explain('aldm-aldermoor', 'sma5')
        >>> explanation['formula'], len(explanation['inputs'])
        ('mean(C₀ … C₄)', 5)
        """
        path = f'{self._group}explain/{_segment("asset", asset)}/{_segment("column", column)}'
        return cast(Explanation, self._json(path, {'as_of': as_of, 'interval': interval, 'quote': quote}))

    def closes(
        self,
        symbol: str | Iterable[str],
        *,
        days: int | None = None,
        as_of: str | date | None = None,
        interval: str | None = None,
        quote: str | None = None,
    ) -> Closes:
        """The latest daily closes of up to 100 assets, in one response.

        `days` is 1 to 366, 90 without it.

        >>> tm.closes(['ALDM', 'HRBD'], days=30).to_pandas().shape
        (30, 2)
        """
        query = {'symbol': ','.join(names(symbol)), 'days': days, 'as_of': as_of, 'interval': interval, 'quote': quote}
        return Closes(self._json(f'{self._group}closes', query, 'days', 'result'))

    def catalog(self) -> Catalog:
        """The datasets and their columns, with units and formulas.

        >>> [dataset['name'] for dataset in tm.catalog()['datasets']][:3]
        ['ta-cur', 'ta-hist', 'bars']
        """
        return cast(Catalog, self._json('/v1/catalog', {}))

    def alerts(self) -> Alerts:
        """The saved alerts, for API keys whose tier has them."""
        return cast(Alerts, self._json(f'{self._group}alerts', {}))

    def events(self, *, last_event_id: str | int | None = None) -> EventStream[PublicationEvent]:
        """Every publication of new data, for as long as the loop runs.

        >>> with tm.events() as publications:
        ...     print(next(publications)['newest_day'])
        2026-06-30
        """
        return EventStream(self._transport, f'{self._group}events', {}, last_event_id)

    publications = events

    def export(self, dataset: ExportDataset | str) -> Export:
        """A whole dataset of one publication: `ta-cur`, `assets`, `bars` or `ta-hist`, for
        tiers that include exports.

        >>> tm.export('bars').to_polars().columns[:3]
        ['id', 'symbol', 'datetimeUTC']
        """
        return Export(self._transport, f'{self._group}export/{_segment("dataset", dataset)}.parquet', dataset)

    def panel(
        self,
        columns: str | list[str] = 'close',
        *,
        symbol: str | Iterable[str] | None = None,
        id: str | Iterable[str] | None = None,
        from_: str | date | None = None,
        to: str | date | None = None,
        interval: str | None = None,
        quote: str | None = None,
        workers: int = 4,
        progress: bool | None = None,
    ) -> Panel:
        """One column, or several, of several assets over time.

        `columns` are those of bars (`open`, `high`, `low`, `close`, `volume`) or of the
        history, such as `price` and `rsi14`. `symbol` or `id` names the assets; each takes
        one request, `workers` of them at the same time. Without both, the panel has every
        asset, from the export of `bars` or `ta-hist`, for tiers that include exports.

        >>> tm.panel('rsi14', symbol=['ALDM', 'HRBD'], from_='2026-06-01').to_pandas().round(1).tail(1).values.tolist()
        [[60.4, 53.6]]
        >>> tm.panel(['close', 'volume'], from_='2026-06-01').to_pandas()['close'].shape
        (30, 117)
        """
        query = {'from': from_, 'to': to, 'interval': interval, 'quote': quote}
        reader = PanelReader(self.rows, self.export, workers, progress)
        return reader.read(columns, symbol, id, query)

    def rows(self, dataset: str, query: Mapping[str, Any] | None = None) -> Rows[Any]:
        """The rows of any dataset, for queries and columns that are known at run time only.

        >>> len(tm.rows('ta-cur', {'limit': 5}).to_list())
        5
        """
        path = self._group + quote(dataset)
        source = Source(dataset, path, INDEXES.get(dataset), dataset in OF_ONE_ASSET)
        return Rows(self._transport, source, query or {})

    def request(
        self,
        path: str,
        query: Mapping[str, Any] | None = None,
        *,
        headers: Mapping[str, str] | None = None,
        method: str = 'GET',
    ) -> Reply:
        """Any other request, with the same key, retries and errors: another `format`, a
        header.

        `path` is that of a dataset such as `ta-cur`, or begins with a slash.

        >>> tm.request('bars', {'symbol': 'ALDM', 'limit': 1, 'format': 'csv'}).text.splitlines()[0]
        'datetimeUTC,open,high,low,close,volume'
        """

        def read(response: Response) -> Reply:
            return Reply(response.status, response.headers, response.body())

        full = quote(path if path.startswith('/') else self._group + path, safe="/?&=%:,[]+~!*'()@;$")
        return self._transport.send(full, query or {}, read, headers, method)

    def _stream(self, query: Mapping[str, Any], last_event_id: str | int | None) -> EventStream[Any]:
        return EventStream(self._transport, f'{self._group}ta-cur', {**query, 'format': 'sse'}, last_event_id)

    def _json(self, path: str, query: Mapping[str, Any], *members: str) -> Any:
        return self._transport.send(path, query, lambda response: response.object_with(*members))


def _segment(name: str, value: str) -> str:
    """A part of a path."""
    if not isinstance(value, str) or value == '':
        raise TypeError(f'{name} is a text, not {value!r}')
    return quote(value, safe='')
