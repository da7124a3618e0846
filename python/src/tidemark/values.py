"""Values of parameters as the API reads them: the query string of a request."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any
from urllib.parse import quote

from .expression import Expression
from .scalars import day_text, plain


def query_string(query: Mapping[str, Any]) -> str:
    """`?price=10:100&limit=5`, or nothing.

    None is left out, a list is a repeated parameter, a tuple of two numbers is a range, a
    mapping is `name:value` pairs as `calc` takes them. An underscore at the end of a name is
    left out: `from_` is `from`.

    >>> query_string({'price': (10, None), 'symbol': ['BTC', 'ETH'], 'meta': True, 'sort': None})
    '?price=10:&symbol=BTC&symbol=ETH&meta=true'
    >>> query_string({'from_': date(2026, 1, 31), 'calc': {'twice': 'price * 2'}})
    '?from=2026-01-31&calc=twice:price%20%2A%202'
    """
    pairs = [
        f'{quote(name.removesuffix("_"), safe="[]")}={quote(text, safe=":,")}'
        for name, value in query.items()
        for text in _texts(name, value)
    ]
    return '?' + '&'.join(pairs) if pairs else ''


def names(value: str | Iterable[str]) -> list[str]:
    """The members of a list, or of a text with commas."""
    return value.split(',') if isinstance(value, str) else list(value)


def _texts(name: str, given: Any) -> list[str]:
    value = plain(given)
    if value is None:
        return []
    if isinstance(value, Mapping):
        return [f'{key}:{_text(name, each)}' for key, each in value.items()]
    if isinstance(value, tuple) and len(value) == 2 and all(each is None or _is_number(each) for each in value):
        return [':'.join('' if each is None else _text(name, each) for each in value)]
    if isinstance(value, Iterable) and not isinstance(value, (str, bytes, bytearray)):
        return [_text(name, each) for each in value]
    return [_text(name, value)]


def _is_number(given: Any) -> bool:
    value = plain(given)
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _text(name: str, given: Any) -> str:
    value = plain(given)
    if isinstance(value, bool):
        return 'true' if value else 'false'
    if isinstance(value, (str, Expression)):
        return str(value)
    if isinstance(value, date):
        return day_text(value)
    if isinstance(value, int) or (isinstance(value, float) and math.isfinite(value)):
        return repr(value)
    raise TypeError(f'{name} takes texts, finite numbers, booleans, dates and lists of them, not {given!r}')
