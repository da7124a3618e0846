"""Reads panels: by one request per asset, or from the file of all assets."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import date
from typing import Any, get_args

from .export import Export
from .frames import required
from .panel import TIME, Panel, panel_of_streams, panel_of_table
from .progress import Progress
from .rows import Rows
from .types import BarsColumn, TaHistColumn, TaHistOptional
from .values import names

#: Every column of bars.
BARS: tuple[str, ...] = get_args(BarsColumn)
#: The columns of the history that `incl_cols` adds to the others.
OPTIONAL: tuple[str, ...] = get_args(TaHistOptional)
#: Those that each row has.
DEFAULT = [name for name in get_args(TaHistColumn) if name not in OPTIONAL]


@dataclass(frozen=True)
class PanelReader:
    """How a client reads panels."""

    rows: Callable[[str, Mapping[str, Any]], Rows[Any]]
    export: Callable[[str], Export]
    workers: int
    progress: bool | None

    def read(
        self,
        columns: str | list[str],
        symbol: str | Iterable[str] | None,
        id: str | Iterable[str] | None,
        query: Mapping[str, Any],
    ) -> Panel:
        """The columns of the assets that `symbol` or `id` names, or of all of them."""
        wanted = names(columns)
        if not wanted or not all(isinstance(name, str) and name for name in wanted):
            raise TypeError(f'columns is a name or a list of names, not {columns!r}')
        if TIME in wanted:
            raise TypeError(f'{TIME} is the index of a panel, not a column')
        if symbol is not None and id is not None:
            raise TypeError('name the assets by symbol or by id, not by both')
        dataset = 'bars' if all(name in BARS for name in wanted) else 'ta-hist'
        is_single = isinstance(columns, str) and len(wanted) == 1
        if symbol is None and id is None:
            return panel_of_table(self._all_assets(dataset, wanted, query), wanted, is_single)
        asset_column, assets = ('symbol', names(symbol)) if symbol is not None else ('id', names(id or ()))
        bodies = self._each_asset(dataset, asset_column, assets, {**query, **_only(dataset, wanted)})
        return panel_of_streams(asset_column, assets, bodies, wanted, is_single)

    def _each_asset(
        self, dataset: str, asset_column: str, assets: list[str], query: Mapping[str, Any]
    ) -> list[list[bytes]]:
        """The Arrow streams of each asset."""
        with Progress(self.progress, dataset, len(assets), ' assets') as bar:

            def read(asset: str) -> list[bytes]:
                bodies = self.rows(dataset, {asset_column: asset, **query}).arrow_bodies(False)
                bar.add()
                return bodies

            with ThreadPoolExecutor(max(1, self.workers)) as threads:
                futures = [threads.submit(read, asset) for asset in assets]
                try:
                    return [future.result() for future in futures]
                finally:
                    # After an error, or an interruption, the others need not be read.
                    threads.shutdown(cancel_futures=True)

    def _all_assets(self, dataset: str, columns: list[str], query: Mapping[str, Any]) -> Any:
        """The rows of the file of all assets."""
        extra = [name for name in ('interval', 'quote') if query[name] is not None]
        if dataset == 'ta-hist':
            extra += [name for name in columns if name in OPTIONAL]
        if extra:
            raise TypeError(
                f'a panel with {", ".join(extra)} needs symbol or id: the file of all assets does not have it'
            )
        required('pyarrow', 'a panel of all assets')
        table = self.export(dataset).to_arrow(['id', TIME, *columns], self.progress)
        return _between(table, query['from'], query['to'])


def _only(dataset: str, columns: list[str]) -> dict[str, Any]:
    """The parameters that leave these columns, and the time, in the rows."""
    if dataset == 'bars':
        return {'excl_cols': [name for name in BARS if name not in (TIME, *columns)]}
    return {
        'incl_cols': [name for name in columns if name not in DEFAULT],
        'excl_cols': ','.join(name for name in DEFAULT if name not in (TIME, *columns)),
    }


def _between(table: Any, from_: str | date | None, to: str | date | None) -> Any:
    """The rows of these days, both included."""
    pa, pc = required('pyarrow', 'panel()'), required('pyarrow.compute', 'panel()')
    for bound, compare in ((from_, pc.greater_equal), (to, pc.less_equal)):
        if bound is not None:
            days = (_day(bound) - date(1970, 1, 1)).days
            time = pa.scalar(days * 86_400_000, pa.int64()).cast(pa.timestamp('ms', 'UTC'))
            table = table.filter(compare(table[TIME], time))
    return table


def _day(bound: str | date) -> date:
    try:
        return date.fromisoformat(str(bound)[:10])
    except ValueError:
        raise TypeError(f'from_ and to are days such as 2026-01-31, not {bound!r}') from None
