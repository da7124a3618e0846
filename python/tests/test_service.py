"""The package against the real service, with the standard library only."""

from __future__ import annotations

import time
import unittest
from datetime import date
from typing import Any

from tidemark import ApiError, Tidemark, column, where

from .support import FREE_KEY, URL, client, needs_server

ROW_COLUMNS = 34


@needs_server
class ServiceTest(unittest.TestCase):
    tm: Tidemark

    @classmethod
    def setUpClass(cls) -> None:
        cls.tm = client()
        cls.addClassCleanup(cls.tm.close)

    def get(self, path: str, **query: Any) -> Any:
        return self.tm.request(path, query).json()


class RowsTest(ServiceTest):
    def test_a_loop_has_every_row(self) -> None:
        symbols = [row['symbol'] for row in self.tm.listing(sort='symbol', order='asc', excl_cols='price')]
        count = self.tm.stats(cols='price').to_list()[0]['count']
        self.assertEqual(len(symbols), count)
        self.assertEqual(len(set(symbols)), count)

    def test_with_limit_it_has_as_many(self) -> None:
        rows = self.tm.history(id='aldm-aldermoor', limit=7)
        self.assertEqual([len(list(rows)), len(rows.to_list()), len(rows.page())], [7, 7, 7])
        self.assertEqual(rows.to_list(), self.get('ta-hist', id='aldm-aldermoor', limit=7)['result'])

    def test_pages_go_on_to_the_last(self) -> None:
        sizes = [len(page) for page in self.tm.bars(id='aldm-aldermoor', interval='1w', limit=100).pages()]
        whole = self.get('bars', id='aldm-aldermoor', interval='1w', limit=1000)['results_returned']
        self.assertEqual((sum(sizes), set(sizes[:-1])), (whole, {100}))

    def test_a_page_has_the_envelope_and_the_headers(self) -> None:
        page = self.tm.listing(limit=3, page=2, meta=True).page()
        self.assertEqual((len(page), page.results_returned, page.limit_applied), (3, 3, 3))
        self.assertGreater(page.data_version or 0, 0)
        self.assertEqual(list(page.metadata or {}), list(page.result[0]))
        self.assertIn('page=3', page.next or '')
        self.assertIn('page=1', page.prev or '')
        self.assertEqual(len(list(self.tm.listing(limit=3, page=2))), 3)

    def test_rows_have_the_columns_that_the_query_selects(self) -> None:
        rows = self.tm.listing(
            limit=1, incl_cols=['rsi14', 'range'], excl_cols=('price', 'sma5'), calc={'twice': 'price * 2'}
        )
        (row,) = rows
        self.assertEqual(len(row), ROW_COLUMNS - 2 + 1 + 7 + 1)
        self.assertIn('twice', row)

    def test_every_kind_of_filter(self) -> None:
        rows = self.tm.listing(
            price=(1, None),
            vol30=(None, 500.0),
            change7='not_null',
            comparison='[sma50]>:[sma200]',
            not_null=['change30'],
            where=where('{} or price > {least}', where('price < {}', 5), least=10),
            limit=1000,
        )
        found = rows.to_list()
        self.assertGreater(len(found), 0)
        for row in found:
            self.assertTrue(
                row['price'] >= 1 and row['sma50'] > row['sma200'] and (row['price'] < 5 or row['price'] > 10)
            )

    def test_days_are_texts_dates_or_times(self) -> None:
        last = date.fromisoformat(self.tm.bars(symbol='ALDM', limit=1).to_list()[0]['datetimeUTC'][:10])
        first = last.replace(day=1)
        found = [len(self.tm.bars(symbol='ALDM', from_=each, to=last).to_list()) for each in (first, first.isoformat())]
        self.assertEqual(found, [last.day, last.day])

    def test_a_query_shows_itself(self) -> None:
        self.assertEqual(
            repr(self.tm.listing(limit=5, where='price > 1')), "Rows('ta-cur', limit=5, where='price > 1')"
        )

    def test_expressions_find_texts_whatever_they_contain(self) -> None:
        for hostile in ("' or 1 = 1 or symbol = '", "''", "\\'", '%27', '") or (price > 0', '+&=#?'):
            self.assertEqual(self.tm.listing(where=where('symbol = {}', hostile)).to_list(), [])
            found = self.tm.listing(where=where('{} in {}', column('symbol'), [hostile, 'ALDM'])).to_list()
            self.assertEqual([row['symbol'] for row in found], ['ALDM'])


class DocumentsTest(ServiceTest):
    def test_profile_explanation_closes_catalogue(self) -> None:
        self.assertEqual(self.tm.asset('ALDM'), self.tm.profile('aldm-aldermoor'))
        day = self.tm.history(symbol='HRBD', limit=2).to_list()[1]
        explained = self.tm.explain('hrbd-harbor-dollar', 'sma20', as_of=day['datetimeUTC'][:10])
        self.assertEqual(explained['value'], day['sma20'])
        closes = self.tm.closes(['ALDM', 'HRBD'], days=3)
        self.assertEqual([(each['symbol'], len(each['closes'])) for each in closes], [('ALDM', 3), ('HRBD', 3)])
        self.assertEqual(len(closes), 2)
        self.assertTrue(any(dataset['name'] == 'bars' for dataset in self.tm.catalog()['datasets']))

    def test_facets_assets_and_other_formats(self) -> None:
        self.assertEqual({row['facet'] for row in self.tm.facets(where='price > 1')}, {'type', 'tag'})
        self.assertTrue(all('dollar' in row['id'] for row in self.tm.assets(q='dollar')))
        lines = self.tm.request('ta-cur', {'format': 'csv', 'limit': 2}).text.splitlines()
        self.assertEqual((len(lines), lines[0].count(',')), (3, ROW_COLUMNS - 1))

    def test_an_exported_file_is_parquet(self) -> None:
        import tempfile
        from pathlib import Path

        with tempfile.TemporaryDirectory() as folder:
            path = self.tm.export('assets').to_file(Path(folder) / 'assets.parquet', progress=False)
            content = path.read_bytes()
            self.assertEqual((content[:4], content[-4:]), (b'PAR1', b'PAR1'))
            self.assertEqual([each.name for each in Path(folder).iterdir()], ['assets.parquet'])
            with self.assertRaises(FileNotFoundError):
                self.tm.export('assets').to_file(Path(folder) / 'no' / 'folder.parquet')


class ErrorsTest(ServiceTest):
    def test_wrong_use_has_a_hint(self) -> None:
        unknown: Any = {'pricee': 1}
        cases: list[tuple[Any, str, str | None]] = [
            (lambda: self.tm.listing(sort='pricee').page(), 'unknown_column', 'sort'),
            (lambda: self.tm.listing(**unknown).to_list(), 'unknown_parameter', 'pricee'),
            (lambda: self.tm.listing(where='pric > 1').to_list(), 'unknown_column', 'where'),
            (lambda: self.tm.listing(incl_cols='rsi15').to_list(), 'unknown_column', 'incl_cols'),
            (lambda: self.tm.history().to_list(), 'missing_parameter', None),
            (lambda: self.tm.listing(limit=0).to_list(), 'invalid_value', 'limit'),
            (lambda: self.tm.asset('nobody'), 'unknown_asset', None),
            (lambda: self.tm.explain('aldm-aldermoor', 'sma21'), 'unknown_column', None),
            (lambda: self.tm.rows('nothing').to_list(), 'not_found', None),
        ]
        for call, code, param in cases:
            with self.subTest(code), self.assertRaises(ApiError) as caught:
                call()
            error = caught.exception
            self.assertEqual(error.code, code)
            self.assertTrue(error.hint, error)
            self.assertTrue(error.request_id)
            if param is not None:
                self.assertEqual(error.param, param)

    def test_interval_and_quote_are_passed_on(self) -> None:
        self.assertEqual(len(self.tm.bars(symbol='ALDM', interval='1mo', limit=2).to_list()), 2)
        for wrong in ({'interval': 'fortnight'}, {'quote': 'nobody'}):
            with self.subTest(wrong), self.assertRaises(ApiError) as caught:
                self.tm.listing(**wrong).page()  # type: ignore[arg-type]
            self.assertEqual(caught.exception.param, *wrong)

    def test_keys(self) -> None:
        with self.assertRaises(ApiError) as caught:
            Tidemark(URL, 'tdm_mistyped').listing().page()
        self.assertEqual((caught.exception.status, caught.exception.code), (401, 'mistyped_key'))
        with self.assertRaises(ApiError) as caught:
            Tidemark(URL).listing().page()
        self.assertEqual(caught.exception.code, 'missing_key')
        with self.assertRaises(ApiError) as caught:
            client(key=FREE_KEY).export('bars').to_file('/tmp/never', progress=False)
        self.assertEqual(caught.exception.code, 'not_in_tier')

    def test_a_small_tier_reads_in_small_pages(self) -> None:
        rows = client(key=FREE_KEY).listing(sort='symbol', order='asc', limit=12).to_list()
        self.assertEqual(len(rows), 12)
        self.assertEqual(len({row['symbol'] for row in rows}), 12)

    def test_type_errors(self) -> None:
        wrong: list[Any] = [
            lambda: self.tm.listing('price > 1'),  # type: ignore[call-arg, arg-type]
            lambda: self.tm.asset(7),  # type: ignore[arg-type]
            lambda: self.tm.asset(''),
            lambda: self.tm.listing(price=object()).page(),  # type: ignore[arg-type]
            lambda: self.tm.panel('close', symbol='ALDM', id='aldm-aldermoor'),
            lambda: self.tm.panel([]),
            lambda: self.tm.panel('datetimeUTC'),
            lambda: self.tm.panel('rsi14'),
            lambda: self.tm.listing(limit='many'),  # type: ignore[arg-type]
        ]
        for i, call in enumerate(wrong):
            with self.subTest(i), self.assertRaises(TypeError):
                call()


class StreamsTest(ServiceTest):
    def test_a_stream_has_the_page_first_and_then_its_changes(self) -> None:
        with self.tm.stream(sort='symbol', limit=1000, excl_cols='sma5') as events:
            first, second = next(events), next(events)
        self.assertEqual(first['event'], 'rows')
        self.assertEqual(second['event'], 'changes')
        self.assertGreater(second['version'], first['version'])
        changed = second['changed'] if second['event'] == 'changes' else []
        self.assertGreater(len(changed), 0)
        self.assertNotIn('sma5', changed[0])

    def test_publications_continue_after_the_last_event(self) -> None:
        with self.tm.events() as events:
            first, second = next(events), next(events)
        self.assertEqual((first['all'], second['all']), (True, False))
        time.sleep(0.1)
        with self.tm.events(last_event_id=events.last_event_id) as later:
            event = next(later)
        self.assertEqual(event['all'], False)
        self.assertGreater(event['version'], second['version'])
