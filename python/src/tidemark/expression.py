"""Expressions for `where` and `calc`, with values that cannot change their meaning."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from datetime import date
from string import Formatter
from typing import Union

from .scalars import day_text, plain

#: What an expression takes: a date stands for its UTC day, and a list for the values of `in`.
ExpressionValue = Union[str, float, date, 'Expression', Iterable['str | float']]


class Expression:
    """A piece of an expression that is already text; it can be a value inside another one."""

    def __init__(self, text: str, nested: str | None = None) -> None:
        self._text = text
        self.nested = f'({text})' if nested is None else nested

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f'Expression({self._text!r})'


def where(template: str, /, *values: ExpressionValue, **named: ExpressionValue) -> Expression:
    """Writes values into an expression as the expression language needs them.

    `{}` and `{name}` stand for values.

    >>> str(where('symbol in {} and price > {least}', ['BTC', 'ETH'], least=0.5))
    "symbol in ('BTC', 'ETH') and price > 0.5"
    >>> str(where('symbol = {}', "O'X"))
    "symbol = 'O''X'"
    >>> cheap = where('price < {}', 1)
    >>> str(where('{} and {} > 20', cheap, column('vol30')))
    '(price < 1) and [vol30] > 20'
    """
    try:
        fields = list(Formatter().parse(template))
    except ValueError as error:
        raise TypeError(f'where(): {error}') from None
    text, used = '', 0
    for before, field, form, conversion in fields:
        text += before
        if field is None:
            continue
        if form or conversion or not (field == '' or field.isidentifier()):
            raise TypeError(f'where() takes {{}} and {{name}}, not {{{field}}} with a format or an index')
        if field == '':
            if used == len(values):
                raise TypeError(f'where() needs a value for each {{}}: there are only {len(values)}')
            text += _literal(values[used])
            used += 1
        elif field in named:
            text += _literal(named[field])
        else:
            raise TypeError(f'where() needs a value for {{{field}}}')
    if used < len(values):
        raise TypeError(f'where() has {len(values)} values for {used} {{}}')
    return Expression(text)


def column(name: str) -> Expression:
    """The name of a column, for when the name itself is a variable.

    >>> column('sma50')
    Expression('sma50')
    """
    if not isinstance(name, str) or not re.fullmatch(r'[A-Za-z_]\w*', name, re.ASCII):
        raise TypeError(f'{name!r} cannot be the name of a column')
    return Expression(name, f'[{name}]')


def _literal(given: object) -> str:
    value = plain(given)
    if isinstance(value, str):
        return "'" + value.replace("'", "''") + "'"
    if isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value):
        return repr(value)
    if isinstance(value, Expression):
        return value.nested
    if isinstance(value, date):
        return f"'{day_text(value)[:10]}'"
    if isinstance(value, Iterable) and not isinstance(value, (bytes, bytearray)):
        members = [_literal(each) for each in value]
        if members:
            return f'({", ".join(members)})'
        raise TypeError('an expression takes lists that are not empty')
    raise TypeError(f'an expression takes texts, finite numbers, dates, lists and expressions, not {given!r}')
