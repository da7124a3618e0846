"""Tables of pandas, Polars and pyarrow, against the real service: every value is that of the listing."""

from __future__ import annotations

import datetime
import importlib.util
import math
import unittest
import warnings
from typing import Any
from unittest import mock

from tidemark import ApiError, Tidemark
from tidemark import frames as frames_module

from .support import FREE_KEY, client, needs_server

MISSING = [name for name in ('pandas', 'polars', 'pyarrow') if importlib.util.find_spec(name) is None]
DAY = '2026-01-31'


def plain(value: Any) -> Any:
    """As the JSON listing has it."""
    if isinstance(value, datetime.datetime):
        return value.astimezone(datetime.timezone.utc).strftime('%Y-%m-%dT%H:%M:%S')
    if value is None or (isinstance(value, float) and math.isnan(value)) or type(value).__name__ == 'NaTType':
        return None
    return value.item() if hasattr(value, 'item') else value


def listed(value: Any) -> Any:
    is_time = isinstance(value, str) and value.endswith('Z') and value[4:5] == '-'
    return value[:19] if is_time else value


@needs_server
@unittest.skipIf(MISSING, f'this Python has no {", ".join(MISSING)}')
class TablesTest(unittest.TestCase):
    tm: Tidemark

    @classmethod
    def setUpClass(cls) -> None:
        cls.tm = client()
        cls.addClassCleanup(cls.tm.close)


class FramesTest(TablesTest):
    def queries(self) -> dict[str, Any]:
        tm = self.tm
        return {
            # Of a past day: nothing is published in between.
            'listing': tm.listing(as_of=DAY, incl_cols='all', sort='symbol', order='asc'),
            'computed': tm.listing(
                as_of=DAY, calc={'gap': 'change365 - change30'}, sort='symbol', excl_cols='datetimeUTC'
            ),
            'history': tm.history(symbol='ALDM', to=DAY, incl_cols=['rsi14', 'ath_at'], order='asc'),
            'bars': tm.bars(symbol='HRBD', to=DAY, interval='1w', order='asc'),
            'assets': tm.assets(as_of=DAY),
            'stats': tm.stats(as_of=DAY, bins=3),
            'nothing': tm.listing(as_of=DAY, symbol='NOBODY'),
            'limit': tm.assets(as_of=DAY, limit=7, page=2),
        }

    def assert_rows(self, found: list[dict[str, Any]], rows: list[dict[str, Any]]) -> None:
        self.assertEqual(len(found), len(rows))
        for row, wanted in zip(found, rows, strict=True):
            wanted = {name: value for name, value in wanted.items() if name != 'histogram'}
            self.assertEqual(
                {name: plain(row[name]) for name in wanted}, {name: listed(each) for name, each in wanted.items()}
            )

    def test_every_value_is_that_of_the_rows(self) -> None:
        for name, query in self.queries().items():
            with self.subTest(name):
                rows = query.to_list()
                table = query.to_arrow()
                self.assert_rows(table.to_pylist(), rows)
                self.assert_rows(query.to_polars().to_dicts(), rows)
                self.assert_rows(query.to_pandas(index=None).to_dict('records'), rows)
                if rows:
                    self.assertEqual(table.column_names, list(rows[0]))

    def test_without_pyarrow_they_are_the_same(self) -> None:
        import pandas as pd
        import polars.testing

        def without(package: str) -> Any:
            return None if package == 'pyarrow' else importlib.import_module(package)

        for name, query in self.queries().items():
            frame, polars_frame = query.to_pandas(), query.to_polars()
            with self.subTest(name), mock.patch.object(frames_module, 'optional', without):
                # pandas finds out that texts are texts by looking at them, if there are any.
                exact = {'check_exact': True, 'check_dtype': len(frame) > 0, 'check_index_type': len(frame) > 0}
                pd.testing.assert_frame_equal(query.to_pandas(), frame, **exact)
                polars.testing.assert_frame_equal(query.to_polars(), polars_frame)
                with self.assertRaisesRegex(ImportError, 'pip install pyarrow'):
                    query.to_arrow()

    def test_arrow_and_polars_refer_to_the_body_without_copies(self) -> None:
        import pyarrow as pa

        bodies = self.tm.history(symbol='ALDM').arrow_bodies(False)
        before = pa.total_allocated_bytes()
        table = frames_module.arrow_table(bodies)
        self.assertGreater(table.nbytes, 100_000)
        self.assertLess(pa.total_allocated_bytes() - before, 10_000)
        frame = frames_module.polars_frame(bodies)
        (body,), (start,) = bodies, [pa.py_buffer(each).address for each in bodies]
        for name in ('price', 'sma200', 'datetimeUTC'):
            chunks = table[name].chunks + [chunk.to_arrow() for chunk in frame[name].get_chunks()]
            for buffer in (each for chunk in chunks for each in chunk.buffers() if each is not None):
                self.assertTrue(start <= buffer.address < start + len(body), name)

    def test_histories_and_bars_have_their_times_as_index_oldest_first(self) -> None:
        for rows in (
            self.tm.history(symbol='ALDM'),
            self.tm.bars(symbol='ALDM'),
            self.tm.bars(symbol='ALDM', limit=30),
        ):
            frame = rows.to_pandas()
            self.assertEqual((frame.index.name, str(frame.index.tz)), ('datetimeUTC', 'UTC'))
            self.assertTrue(frame.index.is_monotonic_increasing)
            self.assertTrue(rows.to_polars()['datetimeUTC'].is_sorted())
            times = rows.to_arrow()['datetimeUTC'].to_pylist()
            self.assertEqual(times, sorted(times))
            newest = self.tm.bars(symbol='ALDM', limit=1).to_list()[0]['datetimeUTC'][:10]
            self.assertEqual(str(frame.index[-1])[:10], newest)
        self.assertEqual(len(frame), 30)
        self.assertFalse(self.tm.bars(symbol='ALDM', order='desc').to_pandas().index.is_monotonic_increasing)

    def test_the_index_of_the_others(self) -> None:
        self.assertEqual(self.tm.listing(limit=3).to_pandas().index.name, 'symbol')
        self.assertEqual(self.tm.assets(limit=3).to_pandas().index.name, 'id')
        self.assertEqual(self.tm.assets(limit=3).to_pandas(index='symbol').index.name, 'symbol')
        self.assertIsNone(self.tm.listing(limit=3, excl_cols='symbol').to_pandas().index.name)
        with self.assertRaisesRegex(TypeError, "index is 'nothing'"):
            self.tm.listing(limit=3).to_pandas(index='nothing')

    def test_a_small_tier_reads_many_pages(self) -> None:
        free = client(key=FREE_KEY)
        with warnings.catch_warnings():
            warnings.simplefilter('ignore')  # data may be published in between
            self.assertEqual(len(free.assets(limit=8).to_pandas()), 8)
            self.assertEqual(len(free.listing(limit=12).to_polars()), 12)
        history = free.history(symbol='ALDM', from_='2026-01-01', to='2026-01-08').to_pandas()
        self.assertEqual((len(history), history.index.is_monotonic_increasing), (8, True))
        long = self.tm.history(symbol='ALDM', limit=1200).to_pandas()
        self.assertEqual((len(long), long.index.is_monotonic_increasing), (1200, True))
        self.assertEqual(long.index[-1], self.tm.bars(symbol='ALDM').to_pandas().index[-1])

    def test_libraries_read_the_rows_themselves(self) -> None:
        import polars as pl
        import pyarrow as pa

        rows = self.tm.assets(as_of=DAY)
        self.assertEqual(pa.table(rows).num_rows, len(rows.to_list()))
        self.assertEqual(pl.DataFrame(rows).columns, rows.to_polars().columns)

    def test_wrong_use(self) -> None:
        with self.assertRaises(ApiError) as caught:
            self.tm.listing(sort='pricee').to_pandas()
        self.assertEqual(caught.exception.code, 'unknown_column')
        with self.assertRaisesRegex(TypeError, 'bars has no column'):
            self.tm.export('bars').to_arrow(columns=['closee'])
        with self.assertRaisesRegex(TypeError, 'ta-hist has no column'):
            self.tm.panel('closee')
        with self.assertRaisesRegex(TypeError, 'days such as'):
            self.tm.panel('close', from_='yesterday')
        with self.assertRaisesRegex(TypeError, 'not a number'):
            self.tm.panel('ath_at', symbol=['ALDM'])
        with self.assertRaises(ApiError) as caught:
            self.tm.panel('closee', symbol=['ALDM'])
        self.assertEqual(caught.exception.param, 'incl_cols')

    def test_a_progress_bar_is_shown_if_wanted(self) -> None:
        import contextlib
        import io

        if importlib.util.find_spec('tqdm') is None:
            self.skipTest('this Python has no tqdm')
        for progress in (True, None, False):
            said = io.StringIO()
            with contextlib.redirect_stderr(said):
                self.tm.export('assets').to_arrow(progress=progress)
                self.tm.panel('close', symbol=['ALDM', 'HRBD'], progress=progress)
            if progress:
                self.assertRegex(said.getvalue(), r'assets.parquet: 100%(?s:.*)bars: 100%.* 2/2')
            else:
                self.assertEqual(said.getvalue(), '', 'this is not a terminal')


class PanelTest(TablesTest):
    def test_a_panel_has_the_values_of_each_asset(self) -> None:
        import pandas as pd

        symbols = [row['symbol'] for row in self.tm.assets(is_active=True, limit=12)]
        frame = self.tm.panel('close', symbol=symbols, from_='2025-06-01', to=DAY).to_pandas()
        self.assertEqual((list(frame.columns), frame.columns.name, str(frame.index.tz)), (symbols, 'symbol', 'UTC'))
        for symbol in symbols:
            own = self.tm.bars(symbol=symbol, from_='2025-06-01', to=DAY).to_pandas()['close']
            pd.testing.assert_series_equal(frame[symbol].dropna(), own, check_names=False, check_freq=False)

    def test_several_columns_and_optional_ones(self) -> None:
        panel = self.tm.panel(
            ['price', 'rsi14', 'sma20'], id=['aldm-aldermoor', 'hrbd-harbor-dollar'], from_='2026-01-01', to=DAY
        )
        frame = panel.to_pandas()
        self.assertEqual(frame.columns.names, ['column', 'id'])
        history = self.tm.history(id='hrbd-harbor-dollar', from_='2026-01-01', to=DAY, incl_cols='rsi14').to_pandas()
        self.assertEqual(frame['rsi14']['hrbd-harbor-dollar'].tolist(), history['rsi14'].tolist())
        for table in (panel.to_polars(), panel.to_arrow().to_pandas()):
            self.assertEqual(list(table.columns), ['datetimeUTC', 'id', 'price', 'rsi14', 'sma20'])
            self.assertEqual(len(table), 62)

    def test_all_assets_are_those_of_the_export(self) -> None:
        rows = self.tm.export('bars').to_pandas()
        panel = self.tm.panel(['close', 'volume'], from_='2026-01-01')
        frame = panel.to_pandas()
        asset = 'aldm-aldermoor'
        wanted = rows[(rows['id'] == asset) & (rows['datetimeUTC'] >= '2026-01-01')]
        self.assertEqual(frame['close'][asset].dropna().tolist()[:-1], wanted['close'].tolist()[:-1])
        self.assertEqual(panel.to_polars()['close'].null_count(), panel.to_arrow()['close'].null_count)
        self.assertEqual(self.tm.export('bars').to_polars('close').columns, ['close'])

    def test_closes_are_a_panel(self) -> None:
        closes = self.tm.closes(['ALDM', 'HRBD'], days=5, as_of=DAY)
        frame = closes.to_pandas()
        self.assertEqual([str(day)[:10] for day in frame.index], [f'2026-01-{day}' for day in range(27, 32)])
        self.assertEqual(frame['HRBD'].tolist(), closes.result[1]['closes'])
        self.assertEqual(closes.to_arrow().column_names, ['datetimeUTC', 'symbol', 'close'])
        self.assertEqual(len(closes.to_polars()), 10)
