"""What can go wrong with a request, as errors that a program can tell apart by class, `code`
and `status`.
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .types import ErrorCode


class TidemarkError(Exception):
    """Every error of this package, except those of wrong use (`TypeError`) and of a missing
    package (`ImportError`).
    """


class NetworkError(TidemarkError):
    """The service did not respond completely: unreachable, too slow, or the connection broke.

    `__cause__` has the reason.
    """

    code = 'network'


class ApiError(TidemarkError):
    """The service responded with an error.

    Its text says what was wrong and, if known, how to correct it.

    >>> try:
    ...     tm.listing(sort='pricee').page()
    ... except ApiError as error:
    ...     print(error.code, error.status, error.param)
    ...     print(error.hint)
    unknown_column 400 sort
    Did you mean price?
    """

    #: The HTTP status.
    status: int
    #: The kind of error; `http_502` and the like if the body is not one of Tidemark's, for example from a proxy.
    code: ErrorCode | str
    #: The kind of error, for people.
    title: str
    #: What was wrong, without the hint.
    detail: str
    #: How to correct the request.
    hint: str | None
    #: The wrong parameter.
    param: str | None
    #: For an expression: the position in the value of that parameter, in characters from 0.
    position: int | None
    #: What the request may have meant, such as the ids of an ambiguous ticker.
    candidates: list[str]
    #: The operator finds the request in the log by it.
    request_id: str | None
    #: Seconds that the service asks to wait; None if it does not say.
    retry_after: float | None

    def __init__(self, status: int, problem: Mapping[str, Any], retry_after: float | None = None) -> None:
        self.status = status
        self.code = problem.get('code', f'http_{status}')
        self.title = problem.get('title', f'Status {status}')
        self.detail = problem.get('detail', f'The response has status {status} and is not from Tidemark.')
        self.hint = problem.get('hint')
        self.param = problem.get('param')
        self.position = problem.get('position')
        self.candidates = problem.get('candidates', [])
        self.request_id = problem.get('request_id')
        self.retry_after = retry_after
        self._problem = dict(problem)
        super().__init__(self.detail if self.hint is None else f'{self.detail} {self.hint}')

    def __reduce__(self) -> tuple[type[ApiError], tuple[int, dict[str, Any], float | None]]:
        # Errors of worker processes are pickled; `args` alone would not make one again.
        return ApiError, (self.status, self._problem, self.retry_after)


def api_error(status: int, headers: Mapping[str, str], body: bytes) -> ApiError:
    """The error of a response."""
    return ApiError(status, _problem_of(headers, body), _seconds_to_wait(headers.get('retry-after')))


def _problem_of(headers: Mapping[str, str], body: bytes) -> dict[str, Any]:
    """Empty if a proxy responded, or the body is cut off: the status says as much."""
    if 'problem+json' not in (headers.get('content-type') or ''):
        return {}
    try:
        problem = json.loads(body)
    except ValueError:
        return {}
    return problem if isinstance(problem, dict) else {}


def _seconds_to_wait(header: str | None) -> float | None:
    """A number of seconds, or the date of RFC 9110."""
    if header is None:
        return None
    if header.isascii() and header.isdigit():
        return float(header)
    try:
        return max(0.0, parsedate_to_datetime(header).timestamp() - time.time())
    except ValueError:
        return None
