"""Streams: the text format, and connecting again after a loss, against a server that answers by a script."""

from __future__ import annotations

import unittest
from unittest import mock

from tidemark import ApiError, NetworkError, Tidemark

from .support import Answer, ScriptedServer

EVENT = b'event: publication\nid: %d\ndata: {"version":%d}\n\n'


def stream_of(body: bytes, cut: int = 0) -> Answer:
    return Answer(body=body, cut=cut, type='text/event-stream')


class EventsTest(unittest.TestCase):
    def setUp(self) -> None:
        patch = mock.patch('time.sleep')
        self.sleep = patch.start()
        self.addCleanup(patch.stop)

    def test_a_stream_continues_after_the_last_event(self) -> None:
        first = stream_of(
            EVENT % (1, 1) + EVENT % (2, 2) + b'retry: 50\nevent: goodbye\ndata: {"reason":"stopping"}\n\n'
        )
        with ScriptedServer(first, Answer(503), Answer(silent=True), stream_of(body=EVENT % (3, 3))) as server:
            with Tidemark(server.url).events() as events:
                seen = [next(events) for _ in range(3)]
            self.assertEqual(seen, [{'event': 'publication', 'version': version} for version in (1, 2, 3)])
            resumed = [request.headers.get('last-event-id') for request in server.requests]
            self.assertEqual(resumed, [None, '2', '2', '2'])
            self.assertEqual(self.sleep.call_args_list[0].args, (0.05,))
            self.assertEqual(events.last_event_id, '3')

    def test_it_begins_after_the_event_that_the_program_names(self) -> None:
        with ScriptedServer(stream_of(body=EVENT % (8, 8))) as server:
            with Tidemark(server.url).publications(last_event_id=7) as events:
                next(events)
            self.assertEqual(server.requests[0].headers['last-event-id'], '7')

    def test_lines_may_end_in_any_way_and_data_may_have_several(self) -> None:
        body = (
            b': a comment\r\nevent: rows\r\ndata: {"version":1,\r\ndata:"result":[]}\r\n\r\nevent: empty\n\n'
            + EVENT % (2, 2)
        )
        with ScriptedServer(stream_of(body=body)) as server, Tidemark(server.url).stream() as events:
            self.assertEqual(next(events), {'event': 'rows', 'version': 1, 'result': []})
            self.assertEqual(next(events)['version'], 2)

    def test_an_event_that_breaks_off_is_not_seen(self) -> None:
        broken = stream_of(body=EVENT % (1, 1) + EVENT % (2, 2), cut=4)
        with ScriptedServer(broken, stream_of(body=EVENT % (3, 3))) as server, Tidemark(server.url).events() as events:
            self.assertEqual([next(events)['version'] for _ in range(2)], [1, 3])
            self.assertEqual(server.requests[1].headers['last-event-id'], '1')

    def test_what_a_repetition_cannot_mend_ends_it(self) -> None:
        with ScriptedServer(stream_of(body=EVENT % (1, 1)), Answer(401)) as server:
            events = Tidemark(server.url).events()
            next(events)
            with self.assertRaises(ApiError) as caught:
                next(events)
            self.assertEqual(caught.exception.status, 401)
            with self.assertRaises(StopIteration):
                next(events)

    def test_a_first_connection_that_fails_is_an_error(self) -> None:
        with ScriptedServer(Answer(silent=True)) as server, self.assertRaises(NetworkError):
            next(Tidemark(server.url).events())
        self.assertEqual(len(server.requests), 5)
        with ScriptedServer(Answer(403)) as server, self.assertRaises(ApiError):
            next(Tidemark(server.url).events())
        self.assertEqual(len(server.requests), 1)

    def test_close_ends_the_connection(self) -> None:
        with ScriptedServer(stream_of(body=EVENT % (1, 1))) as server:
            events = Tidemark(server.url).events()
            next(events)
            events.close()
            self.assertEqual(list(events), [])
