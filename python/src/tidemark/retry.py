"""When a failed request is sent again, and how long the client waits first."""

from __future__ import annotations

import random
from collections.abc import Callable

from .errors import ApiError, TidemarkError

#: From an error and the number of attempts so far, the seconds until the next attempt; None to give up.
RetryDelay = Callable[[TidemarkError, int], 'float | None']

ATTEMPTS = 5
TEMPORARY = (429, 502, 503, 504)
LONGEST_WAIT = 60.0


def retry_delay(error: TidemarkError, attempt: int) -> float | None:
    """Seconds until the next attempt, or None to give up.

    Requests only read, so each can be repeated: after a failure of the network, and after
    429, 502, 503 and 504. `Retry-After` is obeyed up to a minute; beyond it, as with a daily
    quota, the error is raised at once.

    >>> retry_delay(ApiError(400, {}), attempt=1) is None
    True
    >>> 3 <= retry_delay(ApiError(429, {}, retry_after=3), attempt=1) <= 3.2
    True
    >>> retry_delay(ApiError(429, {}, retry_after=3600), attempt=1) is None
    True
    """
    if attempt >= ATTEMPTS:
        return None
    if not isinstance(error, ApiError):
        return back_off(attempt)
    if error.status not in TEMPORARY:
        return None
    if error.retry_after is None:
        return back_off(attempt)
    return None if error.retry_after > LONGEST_WAIT else error.retry_after + random.random() * 0.2


def back_off(attempt: int) -> float:
    """0.25 to 0.5 s, doubled with each attempt up to a minute.

    Random, so that many clients do not come back at once.
    """
    return float(min(30.0, 0.25 * 2 ** (min(attempt, 20) - 1)) * (1 + random.random()))
