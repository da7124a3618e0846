"""Connections that are kept open between requests.

Threads share them; each uses one at a time.
"""

from __future__ import annotations

import http.client
import os
import threading
from collections import defaultdict, deque
from typing import NamedTuple
from urllib.parse import urlsplit

#: Of one origin. More are closed after their request.
MOST_IDLE = 8


class Origin(NamedTuple):
    """Where connections lead to."""

    scheme: str
    host: str
    port: int

    @classmethod
    def of(cls, url: str) -> Origin:
        """Of an absolute URL; raises `ValueError` if it is not one of HTTP."""
        parts = urlsplit(url)
        if parts.scheme not in ('http', 'https') or not parts.hostname:
            raise ValueError(f'{url!r} is not a URL that begins with http:// or https://')
        return cls(parts.scheme, parts.hostname, parts.port or (443 if parts.scheme == 'https' else 80))


class Connections:
    """The open connections of one client."""

    def __init__(self, timeout: float) -> None:
        self._timeout = timeout
        self._idle: defaultdict[Origin, deque[http.client.HTTPConnection]] = defaultdict(deque)
        self._lock = threading.Lock()
        self._process = os.getpid()

    def idle(self, origin: Origin) -> http.client.HTTPConnection | None:
        """One that was used before, if there is one. The server may have closed it meanwhile."""
        with self._lock:
            if self._process != os.getpid():
                # A forked process must not write to the connections of its parent.
                self._idle.clear()
                self._process = os.getpid()
            waiting = self._idle[origin]
            return waiting.pop() if waiting else None

    def new(self, origin: Origin) -> http.client.HTTPConnection:
        """One that connects with its first request."""
        kind = http.client.HTTPSConnection if origin.scheme == 'https' else http.client.HTTPConnection
        return kind(origin.host, origin.port, timeout=self._timeout)

    def keep(self, origin: Origin, connection: http.client.HTTPConnection) -> None:
        """For the next request."""
        with self._lock:
            if len(self._idle[origin]) < MOST_IDLE:
                self._idle[origin].append(connection)
                return
        connection.close()

    def close(self) -> None:
        """Closes those that are not in use."""
        with self._lock:
            waiting = [connection for each in self._idle.values() for connection in each]
            self._idle.clear()
        for connection in waiting:
            connection.close()
