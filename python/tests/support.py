"""A server that answers by a script, and the real server that `npm test` has started."""

from __future__ import annotations

import os
import threading
import unittest
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tidemark import Tidemark

#: Of the demo, in a process of its own.
URL = os.environ.get('TIDEMARK_TEST_URL', '')
PRO_KEY = os.environ.get('TIDEMARK_TEST_PRO_KEY', '')
FREE_KEY = os.environ.get('TIDEMARK_TEST_FREE_KEY', '')

needs_server = unittest.skipUnless(URL, 'TIDEMARK_TEST_URL names no server: npm test starts one')


def client(**options: Any) -> Tidemark:
    return Tidemark(URL, options.pop('key', PRO_KEY), **options)


@dataclass
class Answer:
    """What the scripted server says to one request."""

    status: int = 200
    body: bytes = b'{}'
    type: str = 'application/json'
    headers: dict[str, str] = field(default_factory=dict)
    #: The body ends so many bytes before its length.
    cut: int = 0
    #: The connection is closed without a response.
    silent: bool = False


@dataclass
class Request:
    path: str
    headers: dict[str, str]
    #: Number of the connection.
    connection: int


class ScriptedServer:
    """Answers each request with the next answer, then always with the last one."""

    def __init__(self, *answers: Answer | Callable[[Request], Answer]) -> None:
        self.requests: list[Request] = []
        self._answers = list(answers)
        self._connections = 0
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = 'HTTP/1.1'

            def setup(self) -> None:
                super().setup()
                server._connections += 1
                self.number = server._connections

            def do_GET(self) -> None:
                server._answer(self)

            def log_message(self, format: str, *args: object) -> None:
                pass

        class Server(ThreadingHTTPServer):
            def handle_error(self, request: Any, client_address: Any) -> None:
                """Clients may go away."""

        self._http = Server(('127.0.0.1', 0), Handler)
        self._http.daemon_threads = True
        self.url = f'http://127.0.0.1:{self._http.server_port}'
        threading.Thread(target=self._http.serve_forever, kwargs={'poll_interval': 0.01}, daemon=True).start()

    def __enter__(self) -> ScriptedServer:
        return self

    def __exit__(self, *_: object) -> None:
        self._http.shutdown()
        self._http.server_close()

    def _answer(self, handler: Any) -> None:
        headers = {name.lower(): value for name, value in handler.headers.items()}
        request = Request(handler.path, headers, handler.number)
        next_answer = self._answers[min(len(self.requests), len(self._answers) - 1)]
        self.requests.append(request)
        answer = next_answer(request) if callable(next_answer) else next_answer
        if answer.silent:
            handler.close_connection = True
            return
        handler.send_response(answer.status)
        handler.send_header('content-type', answer.type)
        handler.send_header('content-length', str(len(answer.body)))
        for name, value in answer.headers.items():
            handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.write(answer.body[: len(answer.body) - answer.cut])
        if answer.cut:
            handler.close_connection = True
