"""Sends requests: the API key, a time limit, redirects, retries, and one type of error for
each kind of failure.
"""

from __future__ import annotations

import gzip
import http.client
import json
import time
import weakref
import zlib
from collections.abc import Callable, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urljoin, urlsplit

from .connections import Connections, Origin
from .errors import ApiError, NetworkError, TidemarkError, api_error
from .retry import RetryDelay
from .values import query_string

if TYPE_CHECKING:
    from collections.abc import Iterator

T = TypeVar('T')

MOST_REDIRECTS = 5
#: What a connection that was idle raises if the server has closed it.
CLOSED_MEANWHILE = (http.client.RemoteDisconnected, ConnectionResetError, BrokenPipeError)
THIS_MACHINE = ('localhost', '127.0.0.1', '::1')


class Response:
    """A response before its body. The names of `headers` are in lower case."""

    def __init__(self, response: http.client.HTTPResponse, url: str) -> None:
        self.raw = response
        self.status = response.status
        self.headers: Mapping[str, str] = {name.lower(): value for name, value in response.headers.items()}
        #: After redirects.
        self.url = url

    def expect(self, media_type: str) -> None:
        """Raises an error if another server has responded, such as the sign-in page of a network."""
        if media_type not in self.headers.get('content-type', ''):
            raise ApiError(self.status, {})

    def body(self) -> bytes:
        """All of it, decompressed."""
        body = self.raw.read()
        return gzip.decompress(body) if self.headers.get('content-encoding') == 'gzip' else body

    def json(self) -> Any:
        """The value that the body is the JSON text of."""
        self.expect('json')
        try:
            return json.loads(self.body())
        except ValueError:
            raise ApiError(self.status, {}) from None

    def object_with(self, *members: str) -> dict[str, Any]:
        """The object of the body, which has these members at least."""
        found = self.json()
        if not isinstance(found, dict) or any(name not in found for name in members):
            raise ApiError(self.status, {})
        return found

    def number(self, name: str) -> int | None:
        """A header that is a whole number; None without it."""
        text = self.headers.get(name)
        return None if text is None else int(text)


class Transport:
    """What all requests of one client have in common."""

    def __init__(
        self,
        url: str,
        key: str | Callable[[], str | None] | None,
        timeout: float,
        delay: RetryDelay,
        compress: bool | None,
    ) -> None:
        self._base = url.rstrip('/')
        origin = Origin.of(self._base)
        self._key = key
        #: Seconds until the next attempt, or None to give up.
        self.delay = delay
        # On one machine compression takes more time than it saves.
        self._compress = origin.host not in THIS_MACHINE if compress is None else compress
        self._connections = Connections(timeout)
        weakref.finalize(self, self._connections.close)

    def close(self) -> None:
        """Closes the connections that are not in use."""
        self._connections.close()

    def send(
        self,
        path: str,
        query: Mapping[str, Any],
        read: Callable[[Response], T],
        headers: Mapping[str, str] | None = None,
        method: str = 'GET',
    ) -> T:
        """`path` begins with a slash, and may have a query of its own if `query` is empty.

        A connection that breaks while `read` reads the body is a failed attempt too.
        """
        attempt = 1
        while True:
            try:
                with self.open(path + query_string(query), headers, method) as response:
                    return read(response)
            except TidemarkError as error:
                wait = self.delay(error, attempt)
                if wait is None:
                    raise
            time.sleep(wait)
            attempt += 1

    @contextmanager
    def open(self, path: str, headers: Mapping[str, str] | None = None, method: str = 'GET') -> Iterator[Response]:
        """One attempt. The connection is kept if the body was read to its end."""
        url = self._base + path
        try:
            response, origin, connection = self._follow(url, headers or {}, method)
            try:
                if response.status >= 400:
                    raise api_error(response.status, response.headers, response.body())
                yield response
            finally:
                self._release(origin, connection, response.raw)
        except (OSError, http.client.HTTPException, EOFError, zlib.error) as cause:
            what = (
                'no response in time' if isinstance(cause, TimeoutError) else f'no complete response ({_words(cause)})'
            )
            raise NetworkError(f'{what} from {url}') from cause

    def _follow(
        self, url: str, headers: Mapping[str, str], method: str
    ) -> tuple[Response, Origin, http.client.HTTPConnection]:
        """Sends, and follows redirects. The API key is only for the service."""
        home = Origin.of(url)
        key = self._key() if callable(self._key) else self._key
        if key and not (key.isascii() and key.isprintable()):
            raise TypeError('the API key has characters that no API key has')
        for _ in range(MOST_REDIRECTS + 1):
            origin = Origin.of(url)
            own = {'authorization': f'Bearer {key}'} if key and origin == home else {}
            connection, raw = self._exchange(origin, url, {**headers, **own}, method)
            location = raw.headers.get('location')
            if not (300 <= raw.status < 400 and location):
                return Response(raw, url), origin, connection
            raw.read()
            self._release(origin, connection, raw)
            url = urljoin(url, location)
        raise NetworkError(f'more than {MOST_REDIRECTS} redirects, the last to {url}')

    def _exchange(
        self, origin: Origin, url: str, headers: Mapping[str, str], method: str
    ) -> tuple[http.client.HTTPConnection, http.client.HTTPResponse]:
        parts = urlsplit(url)
        target = (parts.path or '/') + (f'?{parts.query}' if parts.query else '')
        encoding = 'gzip' if self._compress else 'identity'
        all_headers = {'accept-encoding': encoding, 'user-agent': 'tidemark-python', **headers}
        while True:
            used = self._connections.idle(origin)
            connection = used or self._connections.new(origin)
            try:
                connection.request(method, target, headers=all_headers)
                return connection, connection.getresponse()
            except BaseException as error:
                connection.close()
                if used is None or not isinstance(error, CLOSED_MEANWHILE):
                    raise

    def _release(
        self, origin: Origin, connection: http.client.HTTPConnection, response: http.client.HTTPResponse
    ) -> None:
        if response.isclosed() and not response.will_close:
            self._connections.keep(origin, connection)
        else:
            response.close()
            connection.close()


def _words(cause: BaseException) -> str:
    return str(cause) or type(cause).__name__
