"""Requests: the key, retries, redirects, connections and errors, against a server that answers by a script."""

from __future__ import annotations

import gzip
import json
import os
import pickle
import time
import unittest
from email.utils import formatdate
from unittest import mock

from tidemark import ApiError, NetworkError, Tidemark, TidemarkError

from .support import Answer, ScriptedServer

PROBLEM = {
    'error': True,
    'title': 'Unknown column',
    'status': 400,
    'code': 'unknown_column',
    'detail': 'Unknown column "pricee".',
    'hint': 'Did you mean price?',
    'param': 'sort',
    'request_id': 'abc-1',
}


def problem(status: int, **headers: str) -> Answer:
    body = {**PROBLEM, 'status': status}
    named = {name.replace('_', '-'): value for name, value in headers.items()}
    return Answer(status, json.dumps(body).encode(), 'application/problem+json', named)


def no_wait(error: TidemarkError, attempt: int) -> float | None:
    return 0 if attempt < 5 else None


class ErrorsTest(unittest.TestCase):
    def test_an_error_of_the_service_has_its_members(self) -> None:
        with ScriptedServer(problem(400)) as server, self.assertRaises(ApiError) as caught:
            Tidemark(server.url).catalog()
        error = caught.exception
        self.assertEqual(
            (error.code, error.status, error.param, error.hint, error.request_id, error.title, error.retry_after),
            ('unknown_column', 400, 'sort', 'Did you mean price?', 'abc-1', 'Unknown column', None),
        )
        self.assertEqual(str(error), 'Unknown column "pricee". Did you mean price?')
        self.assertEqual(error.detail, 'Unknown column "pricee".')
        copy = pickle.loads(pickle.dumps(error))
        self.assertEqual((copy.code, str(copy)), (error.code, str(error)))

    def test_an_error_of_a_proxy_has_its_status(self) -> None:
        for body in (b'<h1>Forbidden</h1>', b''):
            with ScriptedServer(Answer(403, body, 'text/html')) as server, self.assertRaises(ApiError) as caught:
                Tidemark(server.url).catalog()
            self.assertEqual((caught.exception.code, caught.exception.hint), ('http_403', None))

    def test_a_problem_that_is_not_json_has_its_status(self) -> None:
        for body in (b'{"code":', b'[1]'):
            with (
                ScriptedServer(Answer(404, body, 'application/problem+json')) as server,
                self.assertRaises(ApiError) as caught,
            ):
                Tidemark(server.url).catalog()
            self.assertEqual(caught.exception.code, 'http_404')

    def test_a_success_of_another_server_is_an_error(self) -> None:
        page = Answer(body=b'<h1>Sign in</h1>', type='text/html')
        with ScriptedServer(page) as server:
            tm = Tidemark(server.url)
            for read in (
                tm.catalog,
                tm.listing().page,
                lambda: next(tm.events()),
                lambda: tm.export('bars').to_file('never'),
            ):
                with self.assertRaisesRegex(ApiError, 'not from Tidemark'):
                    read()
        self.assertEqual(len(server.requests), 4)
        for body in (b'<h1>', b'[]', b'{"hello": "world"}'):
            with ScriptedServer(Answer(body=body)) as server, self.assertRaisesRegex(ApiError, 'not from Tidemark'):
                Tidemark(server.url).listing().page()
            with ScriptedServer(Answer(body=body)) as server, self.assertRaisesRegex(ApiError, 'not from Tidemark'):
                Tidemark(server.url).closes('BTC')


class RetryTest(unittest.TestCase):
    def test_temporary_errors_are_tried_again(self) -> None:
        for status in (429, 502, 503, 504):
            with ScriptedServer(problem(status), problem(status), Answer()) as server:
                Tidemark(server.url, retry_delay=no_wait).catalog()
                self.assertEqual(len(server.requests), 3)

    def test_other_errors_are_not(self) -> None:
        for status in (400, 401, 403, 404, 500):
            with ScriptedServer(problem(status)) as server, self.assertRaises(ApiError):
                Tidemark(server.url).catalog()
            self.assertEqual(len(server.requests), 1)

    def test_retry_after_is_obeyed(self) -> None:
        with ScriptedServer(problem(503, retry_after='1'), Answer()) as server, mock.patch('time.sleep') as sleep:
            Tidemark(server.url).catalog()
        (waited,) = sleep.call_args.args
        self.assertTrue(1 <= waited <= 1.2, waited)

    def test_retry_after_can_be_a_date(self) -> None:
        later = formatdate(time.time() + 30, usegmt=True)
        with ScriptedServer(problem(503, retry_after=later), Answer()) as server, mock.patch('time.sleep') as sleep:
            Tidemark(server.url).catalog()
        (waited,) = sleep.call_args.args
        self.assertTrue(27 <= waited <= 31, waited)

    def test_a_long_retry_after_is_an_error_at_once(self) -> None:
        with ScriptedServer(problem(429, retry_after='3600')) as server, self.assertRaises(ApiError) as caught:
            Tidemark(server.url).catalog()
        self.assertEqual((caught.exception.retry_after, len(server.requests)), (3600, 1))

    def test_five_attempts_are_made(self) -> None:
        with ScriptedServer(problem(503)) as server, mock.patch('time.sleep') as sleep, self.assertRaises(ApiError):
            Tidemark(server.url).catalog()
        self.assertEqual((len(server.requests), sleep.call_count), (5, 4))
        waits = [call.args[0] for call in sleep.call_args_list]
        for wait, shortest in zip(waits, (0.25, 0.5, 1, 2), strict=True):
            self.assertTrue(shortest <= wait <= 2 * shortest, waits)

    def test_a_body_that_breaks_off_is_tried_again(self) -> None:
        whole = b'{"version": "1"}'
        with ScriptedServer(Answer(body=whole, cut=3), Answer(silent=True), Answer(body=whole)) as server:
            self.assertEqual(Tidemark(server.url, retry_delay=no_wait).catalog(), {'version': '1'})

    def test_a_service_that_is_not_there_is_a_network_error(self) -> None:
        with ScriptedServer(Answer()) as server:
            url = server.url
        with self.assertRaises(NetworkError) as caught:
            Tidemark(url, retry_delay=lambda error, attempt: None).catalog()
        self.assertIn('refused', str(caught.exception))
        self.assertIsInstance(caught.exception.__cause__, ConnectionRefusedError)

    def test_a_service_that_is_silent_is_a_network_error(self) -> None:
        def slow(_: object) -> Answer:
            time.sleep(0.5)
            return Answer()

        with ScriptedServer(slow) as server, self.assertRaises(NetworkError) as caught:
            Tidemark(server.url, timeout=0.05, retry_delay=lambda error, attempt: None).catalog()
        self.assertIn('in time', str(caught.exception))


class ConnectionsTest(unittest.TestCase):
    def test_requests_share_a_connection(self) -> None:
        with ScriptedServer(Answer(), problem(400), Answer()) as server, Tidemark(server.url) as tm:
            tm.catalog()
            with self.assertRaises(ApiError):
                tm.catalog()
            tm.catalog()
            self.assertEqual({request.connection for request in server.requests}, {1})
            tm.close()
            tm.catalog()
            self.assertEqual(server.requests[-1].connection, 2)

    def test_a_connection_that_the_server_has_closed_is_replaced_without_a_wait(self) -> None:
        with ScriptedServer(Answer(), Answer(silent=True), Answer()) as server, mock.patch('time.sleep') as sleep:
            tm = Tidemark(server.url)
            tm.catalog()
            tm.catalog()
            self.assertEqual((len(server.requests), sleep.call_count), (3, 0))

    def test_compressed_bodies_are_read(self) -> None:
        body = gzip.compress(b'{"version": "2"}')
        with ScriptedServer(Answer(body=body, headers={'content-encoding': 'gzip'})) as server:
            self.assertEqual(Tidemark(server.url, compress=True).catalog(), {'version': '2'})
            Tidemark(server.url).catalog()
            sent = [request.headers['accept-encoding'] for request in server.requests]
            self.assertEqual(sent, ['gzip', 'identity'])


class KeyTest(unittest.TestCase):
    def test_the_key_is_in_a_header_and_never_in_the_address(self) -> None:
        with ScriptedServer(Answer()) as server:
            Tidemark(server.url, 'tdm_secret').catalog()
            Tidemark(server.url, lambda: 'tdm_other').catalog()
            Tidemark(server.url).catalog()
            sent = [request.headers.get('authorization') for request in server.requests]
            self.assertEqual(sent, ['Bearer tdm_secret', 'Bearer tdm_other', None])
            self.assertNotIn('tdm', ''.join(request.path for request in server.requests))

    def test_a_redirect_to_another_server_does_not_get_the_key(self) -> None:
        with ScriptedServer(Answer(body=b'{"version": "3"}')) as other:
            elsewhere = Answer(307, headers={'location': f'{other.url}/there?x=1'})
            with ScriptedServer(Answer(307, headers={'location': '/v1/here'}), elsewhere) as server:
                self.assertEqual(Tidemark(server.url, 'tdm_secret').catalog(), {'version': '3'})
                self.assertEqual([request.path for request in server.requests], ['/v1/catalog', '/v1/here'])
                self.assertTrue(all('authorization' in request.headers for request in server.requests))
            self.assertEqual(other.requests[0].path, '/there?x=1')
            self.assertNotIn('authorization', other.requests[0].headers)

    def test_redirects_in_a_circle_end(self) -> None:
        with ScriptedServer(Answer(307, headers={'location': '/v1/again'})) as server, self.assertRaises(NetworkError):
            Tidemark(server.url, retry_delay=lambda error, attempt: None).catalog()

    def test_without_an_address_both_come_from_the_environment(self) -> None:
        with ScriptedServer(Answer()) as server:
            with mock.patch.dict(os.environ, {'TIDEMARK_URL': server.url, 'TIDEMARK_KEY': 'tdm_env'}):
                Tidemark().catalog()
                Tidemark(server.url).catalog()
            sent = [request.headers.get('authorization') for request in server.requests]
            self.assertEqual(sent, ['Bearer tdm_env', None])

    def test_the_key_is_not_shown(self) -> None:
        self.assertNotIn('tdm', repr(Tidemark('http://127.0.0.1:1', 'tdm_secret')))


class WrongUseTest(unittest.TestCase):
    def test_an_address_or_a_key_that_cannot_be_one_is_a_type_error(self) -> None:
        for url in ('127.0.0.1:8080', 'ftp://host', '', 'http://', 'http://host:99999', 7):
            with self.subTest(url), self.assertRaises(TypeError):
                Tidemark(url)  # type: ignore[arg-type]
        with self.assertRaises(TypeError):
            Tidemark('http://127.0.0.1:1', 7)  # type: ignore[arg-type]
        for key in ('tdm_ü', 'tdm_a\nx: y'):
            with self.subTest(key), self.assertRaises(TypeError):
                Tidemark('http://127.0.0.1:1', key).catalog()

    def test_a_path_before_the_version_is_kept_and_names_are_encoded(self) -> None:
        with ScriptedServer(Answer()) as server:
            tm = Tidemark(f'{server.url}/market/', group='fx')
            tm.asset('a/b ü')
            tm.request('ta cur', {'where': "symbol = 'Ä' and price > 1"})
            paths = [request.path for request in server.requests]
        self.assertEqual(paths[0], '/market/v1/fx/assets/a%2Fb%20%C3%BC')
        self.assertEqual(paths[1], '/market/v1/fx/ta%20cur?where=symbol%20%3D%20%27%C3%84%27%20and%20price%20%3E%201')
