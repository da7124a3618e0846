"""Single values: numbers of NumPy and days, as the API reads them."""

from __future__ import annotations

from datetime import date, datetime, timezone
from typing import Any


def plain(value: Any) -> Any:
    """A number of NumPy as Python's own."""
    item = getattr(value, 'item', None)
    return item() if callable(item) and getattr(value, 'ndim', None) == 0 else value


def day_text(value: date) -> str:
    """A day, or a time in UTC. A time without a zone counts as UTC.

    >>> day_text(date(2026, 1, 31)), day_text(datetime(2026, 1, 31, 12))
    ('2026-01-31', '2026-01-31T12:00:00Z')
    """
    if not isinstance(value, datetime):
        return value.isoformat()
    utc = value.replace(tzinfo=timezone.utc) if value.tzinfo is None else value.astimezone(timezone.utc)
    return utc.strftime('%Y-%m-%dT%H:%M:%SZ')
