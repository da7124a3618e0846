"""Server-Sent Events: the text format, and connecting again after a loss."""

from __future__ import annotations

import json
import time
from collections.abc import Generator, Iterator, Mapping
from typing import Any, Generic, Literal, TypedDict, TypeVar, cast

from .closing import Closing
from .errors import ApiError, NetworkError
from .retry import back_off
from .transport import Response, Transport
from .values import query_string

Event = TypeVar('Event')


class RowsEvent(TypedDict):
    """The first event of a stream: the rows of the page.

    It comes again after a loss of the connection, and replaces everything.
    """

    event: Literal['rows']
    version: int
    result: list[dict[str, Any]]


class ChangesEvent(TypedDict):
    """What a publication changes in the page."""

    event: Literal['changes']
    version: int
    entered: list[dict[str, Any]]
    left: list[str]
    """Tickers."""
    changed: list[dict[str, Any]]


class PublicationEvent(TypedDict):
    """A publication of new data."""

    event: Literal['publication']
    version: int
    newest_day: str | None
    """UTC day of the newest close; None without rows."""
    all: bool
    """The service does not know what the client has seen: load everything.

    The counts are None then.
    """
    changed: int | None
    added: int | None
    removed: int | None


class EventStream(Closing, Generic[Event]):
    """Every event, for as long as the loop runs.

    After a broken connection, or when the server stops, it connects again and continues
    after the last event. It ends by `break`, by `close()`, at the end of a `with` block, or
    by an error that a repetition cannot mend.
    """

    #: The `version` of the last event. Pass it to continue after a restart of the program.
    last_event_id: str

    def __init__(
        self, transport: Transport, path: str, query: Mapping[str, Any], last_event_id: str | int | None
    ) -> None:
        self._transport = transport
        self._path = path + query_string(query)
        self.last_event_id = '' if last_event_id is None else str(last_event_id)
        #: Seconds that the service asks to wait before the next connection.
        self._retry: float | None = None
        self._events = self._all_events()

    def __iter__(self) -> Iterator[Event]:
        return self

    def __next__(self) -> Event:
        return next(self._events)

    def close(self) -> None:
        """Closes the connection."""
        self._events.close()

    def _all_events(self) -> Generator[Event, None, None]:
        failures, connected = 0, False
        while True:
            try:
                with self._transport.open(self._path, self._headers()) as response:
                    response.expect('event-stream')
                    connected = True
                    for name, data in self._read(response):
                        failures = 0
                        if name != 'goodbye':
                            # The service sends JSON, of the form that its documentation states.
                            yield cast(Event, {'event': name, **json.loads(data)})
                failures += 1
                wait = back_off(failures)
            except (ApiError, NetworkError) as error:
                failures += 1
                delay = self._transport.delay(error, failures)
                # Before the first connection the program should learn of the failure. After it,
                # the service may be restarting.
                if delay is None and (not connected or (isinstance(error, ApiError) and error.status < 500)):
                    raise
                wait = back_off(failures) if delay is None else delay
            time.sleep(wait if self._retry is None else self._retry)
            self._retry = None

    def _headers(self) -> dict[str, str]:
        resume = {'last-event-id': self.last_event_id} if self.last_event_id else {}
        return {'accept': 'text/event-stream', **resume}

    def _read(self, response: Response) -> Iterator[tuple[str, str]]:
        """The lines of https://html.spec.whatwg.org/multipage/server-sent-events.html.

        Ends when the connection does.
        """
        name, data, event_id = '', [], self.last_event_id
        for line in response.raw:
            field, _, value = line.decode().rstrip('\r\n').partition(':')
            value = value.removeprefix(' ')
            if field == 'event':
                name = value
            elif field == 'data':
                data.append(value)
            elif field == 'id':
                event_id = value
            elif field == 'retry' and value.isdigit():
                self._retry = int(value) / 1000
            if line.strip(b'\r\n'):
                continue
            self.last_event_id = event_id
            if data:
                yield name, '\n'.join(data)
            name, data = '', []
