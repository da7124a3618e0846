"""Parameters as the API reads them, and expressions."""

from __future__ import annotations

import unittest
from datetime import date, datetime, timedelta, timezone
from typing import Any

from tidemark import column, where
from tidemark.rows import Rows
from tidemark.values import query_string


class FakeScalar:
    """A number of NumPy, as far as the package looks at it."""

    ndim = 0

    def __init__(self, value: object) -> None:
        self._value = value

    def item(self) -> object:
        return self._value


class QueryStringTest(unittest.TestCase):
    def test_values(self) -> None:
        noon = datetime(2026, 1, 31, 12, 0, tzinfo=timezone(timedelta(hours=2)))
        cases: list[tuple[object, str]] = [
            (None, ''),
            (5, '?x=5'),
            (1e-7, '?x=1e-07'),
            (0.1, '?x=0.1'),
            (True, '?x=true'),
            ('a b&c=d', '?x=a%20b%26c%3Dd'),
            (['a', 'b'], '?x=a&x=b'),
            (('a', 'b'), '?x=a&x=b'),
            ([], ''),
            ((1, 2), '?x=1:2'),
            ((None, 2.5), '?x=:2.5'),
            ((FakeScalar(1), None), '?x=1:'),
            (
                {'ratio': 'sma50 / sma200', 'twice': where('price * {}', 2)},
                '?x=ratio:sma50%20%2F%20sma200&x=twice:price%20%2A%202',
            ),
            (date(2026, 1, 31), '?x=2026-01-31'),
            (datetime(2026, 1, 31), '?x=2026-01-31T00:00:00Z'),
            (noon, '?x=2026-01-31T10:00:00Z'),
            (FakeScalar(7), '?x=7'),
            ((name for name in ('p', 'q')), '?x=p&x=q'),
        ]
        for value, text in cases:
            with self.subTest(text):
                self.assertEqual(query_string({'x': value}), text)

    def test_what_no_parameter_takes_is_a_type_error(self) -> None:
        wrong: list[Any] = [float('nan'), float('inf'), object(), b'bytes', [object()], 1j, [None]]
        for value in wrong:
            with self.subTest(repr(value)), self.assertRaises(TypeError) as caught:
                query_string({'price': value})
            self.assertIn('price', str(caught.exception))

    def test_limit_and_page_are_whole_numbers(self) -> None:
        for wrong in ('ten', 1.5, True):
            with self.assertRaises(TypeError):
                Rows(None, None, {'limit': wrong})  # type: ignore[arg-type]
        with self.assertRaisesRegex(TypeError, 'page needs limit'):
            Rows(None, None, {'page': 2})  # type: ignore[arg-type]


class ExpressionTest(unittest.TestCase):
    def test_values(self) -> None:
        cases: list[tuple[object, str]] = [
            ("it's", "'it''s'"),
            (-2.5, '-2.5'),
            (date(2026, 1, 31), "'2026-01-31'"),
            (['a', 1], "('a', 1)"),
            (where('a or b'), '(a or b)'),
            (column('sma50'), '[sma50]'),
        ]
        for value, text in cases:
            with self.subTest(text):
                self.assertEqual(str(where('{}', value)), text)  # type: ignore[arg-type]

    def test_wrong_values_and_templates_are_type_errors(self) -> None:
        for value in (None, True, float('nan'), [], b'x', object()):
            with self.subTest(repr(value)), self.assertRaises(TypeError):
                where('price > {}', value)  # type: ignore[arg-type]
        for template, values in (
            ('{}', ()),
            ('{a}', ()),
            ('x', (1,)),
            ('{0}', (1,)),
            ('{a.b}', ()),
            ('{:.2f}', (1,)),
            ('{', ()),
        ):
            with self.subTest(template), self.assertRaises(TypeError):
                where(template, *values)
        for name in ('a b', '', '1a', 'x;y', 7):
            with self.subTest(name), self.assertRaises(TypeError):
                column(name)  # type: ignore[arg-type]
