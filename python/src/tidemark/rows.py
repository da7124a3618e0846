"""The rows of a query: one by one, page by page, or as one table."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Any, Generic, TypeVar
from urllib.parse import urlsplit

from .errors import ApiError
from .frames import arrow_table, pandas_frame, polars_frame
from .progress import Progress
from .scalars import plain
from .transport import Response, Transport

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    import pyarrow as pa

    from .types import ColumnMetadata

Row = TypeVar('Row')

#: Rows per page when a program reads all rows one by one.
PAGE_ROWS = 1_000
#: More than the largest page that any tier allows: the service then states its own maximum.
MOST_ROWS = 10_000_000


@dataclass(frozen=True)
class Page(Generic[Row]):
    """One page: the envelope of the service, and what the headers of the response state."""

    result: list[Row] = field(repr=False)
    results_returned: int
    #: Milliseconds.
    response_time: float
    fetch_data_time: float
    fetch_meta_time: float
    datetimeUTC: str
    #: A description of each column with `meta=True`, else None.
    metadata: dict[str, ColumnMetadata] | None = field(repr=False)
    #: Address of the next page; None on the last one.
    next: str | None
    #: Address of the page before; None on the first one.
    prev: str | None
    #: Rows per page that the tier of the API key allowed.
    limit_applied: int | None
    #: The publication that the rows are of.
    data_version: int | None

    def __iter__(self) -> Iterator[Row]:
        return iter(self.result)

    def __len__(self) -> int:
        return len(self.result)


@dataclass(frozen=True)
class Source:
    """Where rows come from."""

    #: As the catalogue names it.
    dataset: str
    path: str
    #: The column that is the index of a pandas frame.
    index: str | None
    #: The rows are the periods of one asset: newest first by default, and all in one page for tiers with exports.
    of_one_asset: bool = False


class Rows(Generic[Row]):
    """A query. Nothing is sent until it is read, and each reading sends it anew.

    Without `limit`, a reading has every row that the query selects, in as many pages as it
    takes. With `limit`, it has at most as many rows; `pages()` continues from there.

    >>> rows = tm.listing(sort='price', limit=3)
    >>> [row['symbol'] for row in rows]
    ['ALDM', 'VELR', 'JSND']
    >>> rows.to_pandas().shape
    (3, 33)
    """

    def __init__(self, transport: Transport, source: Source, query: Mapping[str, Any]) -> None:
        self._transport = transport
        self._source = source
        self._query = {name: value for name, value in query.items() if value is not None}
        for name in ('limit', 'page'):
            if name in self._query:
                self._query[name] = _whole_number(name, self._query[name])
        if 'page' in self._query and 'limit' not in self._query:
            raise TypeError('page needs limit: the number of rows per page')

    def __repr__(self) -> str:
        given = ''.join(f', {name}={value!r}' for name, value in self._query.items())
        return f'Rows({self._source.dataset!r}{given})'

    def page(self) -> Page[Row]:
        """One page: the first, or the one that the query names."""
        return self._fetch(self._source.path, self._query)

    def pages(self) -> Iterator[Page[Row]]:
        """From that page to the last. The client fetches a page when the loop comes to it.

        >>> [len(page) for page in tm.assets(limit=50).pages()]
        [50, 50, 50, 5]
        """
        page = self.page()
        yield page
        while page.next is not None:
            # Only its query: the address may be one that this client cannot reach, and the API key is not for others.
            page = self._fetch(f'{self._source.path}?{urlsplit(page.next).query}', {})
            yield page

    def __iter__(self) -> Iterator[Row]:
        """Every row; at most `limit` rows if the query has one."""
        if 'page' in self._query:
            return iter(self.page())
        limit = self._query.get('limit')
        rows = self if limit is not None else self._with(limit=PAGE_ROWS)
        each = (row for page in rows.pages() for row in page)
        # The tier may allow fewer rows per page than `limit`.
        return each if limit is None else islice(each, max(1, limit))

    def to_list(self) -> list[Row]:
        """The rows as dictionaries.

        >>> tm.bars(symbol='ALDM', interval='1mo', limit=1).to_list()[0]['close']
        82725.8
        """
        return list(self)

    def to_arrow(self, progress: bool | None = None) -> pa.Table:
        """The rows as a table of pyarrow, without copies. Times are timestamps in UTC.

        `progress` shows a progress bar (of tqdm, if it is installed): by default, in a
        terminal or a notebook.

        >>> tm.bars(symbol='ALDM', from_='2026-06-28').to_arrow().schema.field('datetimeUTC').type
        TimestampType(timestamp[ms, tz=UTC])
        """
        table = arrow_table(self.arrow_bodies(progress))
        table = table.slice(0, self._most_rows())
        return table.take(list(range(len(table)))[::-1]) if self._is_reversed() else table

    def to_polars(self, progress: bool | None = None) -> pl.DataFrame:
        """The rows as a Polars frame.

        >>> tm.listing(symbol='ALDM').to_polars().select('symbol', 'price').rows()
        [('ALDM', 82725.8)]
        """
        frame = polars_frame(self.arrow_bodies(progress)).head(self._most_rows())
        return frame.reverse() if self._is_reversed() else frame

    def to_pandas(self, index: str | None = 'auto', progress: bool | None = None) -> pd.DataFrame:
        """The rows as a pandas frame. Times are in UTC, and a null is NaN.

        The index is the time for histories and bars, the ticker for the listing, the id for
        assets, unless `index` names another column, or None. Histories and bars are oldest
        first unless the query has an `order`.

        >>> frame = tm.bars(symbol='ALDM', from_='2026-06-28').to_pandas()
        >>> str(frame.index.tz), frame.index.is_monotonic_increasing, len(frame)
        ('UTC', True, 3)
        """
        own = self._source.index if index == 'auto' else index
        frame = pandas_frame(self.arrow_bodies(progress), own).head(self._most_rows())
        if index not in ('auto', None) and index != frame.index.name:
            raise TypeError(f'index is {index!r}; the columns are {", ".join(frame.columns)}')
        return frame[::-1] if self._is_reversed() else frame

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """For libraries that read tables of any other: `polars.DataFrame(rows)`,
        `pyarrow.table(rows)`, DuckDB.
        """
        return self.to_arrow().__arrow_c_stream__(requested_schema)

    def _with(self, **changes: Any) -> Rows[Row]:
        return Rows(self._transport, self._source, {**self._query, **changes})

    def _fetch(self, path: str, query: Mapping[str, Any]) -> Page[Row]:
        return self._transport.send(path, query, _page_of, {'accept': 'application/json'})

    def _is_ordered(self) -> bool:
        return 'sort' in self._query or 'order' in self._query

    def _is_reversed(self) -> bool:
        """The newest rows of one asset come newest first; a frame has them oldest first."""
        return self._source.of_one_asset and 'limit' in self._query and not self._is_ordered()

    def _most_rows(self) -> int:
        limit = self._query.get('limit')
        return 2**63 - 1 if limit is None else int(limit)

    def arrow_bodies(self, progress: bool | None) -> list[bytes]:
        """The pages of all rows, as Arrow streams."""
        query = {**self._query, 'format': 'arrow'}
        wanted = query.get('limit')
        if wanted is None and self._source.of_one_asset:
            if not self._is_ordered():
                query['order'] = 'asc'
        elif wanted is None:
            query['limit'] = MOST_ROWS
        try:
            page = self._arrow(self._source.path, query)
        except ApiError as error:
            if error.code != 'limit_above_tier' or 'page' in query or not error.candidates:
                raise
            query['limit'] = int(error.candidates[0])
            page = self._arrow(self._source.path, query)
        if 'page' in query or wanted == query.get('limit', 0):
            return [page.body]
        return self._arrow_rest(page, query, progress)

    def _arrow_rest(self, page: _ArrowPage, query: Mapping[str, Any], progress: bool | None) -> list[bytes]:
        """The first page, and those that follow it."""
        pages = [page]
        most = -(-self._most_rows() // int(query.get('limit', 1)))
        with Progress(progress if page.next else False, self._source.dataset, None, ' pages') as bar:
            bar.add()
            while page.next is not None and len(pages) < most:
                page = self._arrow(f'{self._source.path}?{page.next}', {})
                pages.append(page)
                bar.add()
        if len({page.version for page in pages}) > 1 and not self._source.of_one_asset:
            warnings.warn(
                'Data was published while the pages were read: rows may be missing or twice. '
                'export() reads a whole dataset of one publication.',
                stacklevel=4,
            )
        return [page.body for page in pages]

    def _arrow(self, path: str, query: Mapping[str, Any]) -> _ArrowPage:
        return self._transport.send(path, query, _arrow_page_of)


def _whole_number(name: str, given: Any) -> int:
    value = plain(given)
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f'{name} is a whole number, not {given!r}')
    return value


@dataclass(frozen=True)
class _ArrowPage:
    body: bytes
    #: Query string of the next page.
    next: str | None
    version: int | None


def _arrow_page_of(response: Response) -> _ArrowPage:
    response.expect('vnd.apache.arrow.stream')
    link = re.search(r'<([^>]*)>;\s*rel="?next"?', response.headers.get('link', ''))
    following = None if link is None else urlsplit(link[1]).query
    return _ArrowPage(response.body(), following, response.number('x-data-version'))


def _page_of(response: Response) -> Page[Any]:
    members = [name for name in Page.__dataclass_fields__ if name not in ('limit_applied', 'data_version')]
    envelope = response.object_with(*members)
    return Page(
        **{name: envelope[name] for name in members},
        limit_applied=response.number('x-limit-applied'),
        data_version=response.number('x-data-version'),
    )
