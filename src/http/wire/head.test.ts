import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { type Head, headerLines, setHead } from './head.ts';
import { INTERNAL_HEAD } from './node-internals.ts';

describe('the lines of a head', () => {
  it('are names and values in turn', () => {
    assert.equal(headerLines('a', 'x y', 'b', 2), 'a: x y\r\nb: 2\r\n');
    assert.equal(headerLines(), '');
  });

  for (const value of ['x\r\nset-cookie: mine', 'x\n', 'x\r', 'x\0', '\u{2028}', 'caf\u{e9} \u{20ac}', '\x7f']) {
    it(`cannot be made with ${JSON.stringify(value)}`, () => {
      assert.throws(
        () => headerLines('etag', 'fine', 'link', value),
        /the header link would hold a forbidden character/,
      );
    });
  }
});

it('this Node has the internals that heads are set by', () => assert.ok(INTERNAL_HEAD));

describe('a head that was set is the one that writeHead makes', () => {
  const IDLE_SECONDS = 7;
  const BODY = 'twelve bytes';
  const OWN = { 'x-one': 'a', 'x-two': 'b' };
  const LINES = headerLines(...Object.entries(OWN).flat());

  /** By what stands in the path: the status, and whether the length is told. */
  function partsOf(url: string) {
    const [, status = '', kind = ''] = url.split('/');
    return { status: Number(status), kind };
  }

  function byNode(url: string, response: ServerResponse): void {
    const { status, kind } = partsOf(url);
    response.writeHead(status, kind === 'length' ? { ...OWN, 'content-length': BODY.length } : OWN);
    if (kind === 'none') response.end();
    else {
      response.write(BODY.slice(0, 6));
      response.end(BODY.slice(6));
    }
  }

  const byUs =
    (internal: boolean) =>
    (url: string, response: ServerResponse): void => {
      const { status, kind } = partsOf(url);
      const head: Head = {
        status,
        lines: LINES,
        length: kind === 'length' ? BODY.length : kind === 'none' ? null : 'unknown',
      };
      // What has no body, such as an answer to HEAD, must not have a beginning of it either.
      const start = kind === 'length' && response.req.method !== 'HEAD' ? BODY.slice(0, 6) : '';
      setHead(response, { ...head, start }, IDLE_SECONDS, internal);
      if (kind === 'none') response.end();
      else {
        if (start === '') response.write(BODY.slice(0, 6));
        response.end(BODY.slice(6));
      }
    };

  const servers: Server[] = [];
  before(async () => {
    for (const answer of [byNode, byUs(true), byUs(false)]) {
      const server = createServer({ keepAliveTimeout: IDLE_SECONDS * 1000 }, (request, response) =>
        answer(request.url ?? '', response),
      );
      servers.push(server);
      await once(server.listen(0, '127.0.0.1'), 'listening');
    }
  });
  after(() => {
    for (const server of servers) server.close();
  });

  /** Everything that the server sends to these bytes until it closes the line, in a form in which names have no case. */
  async function sentBy(server: Server, bytes: string): Promise<string[]> {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1'); // it listens on a port
    socket.write(bytes, 'latin1');
    const all = await text(socket);
    // The order of the lines does not matter, and the second may change between two answers.
    return all
      .split('\r\n')
      .map(line => line.replace(/^[\w-]+: /, name => name.toLowerCase()).replace(/^date: .*/, 'date: …'))
      .sort();
  }

  const close = 'connection: close\r\n';
  for (const [what, request] of Object.entries({
    'a body of known length': `GET /200/length HTTP/1.1\r\nhost: x\r\n${close}\r\n`,
    'a body of unknown length': `GET /200/stream HTTP/1.1\r\nhost: x\r\n${close}\r\n`,
    'no body': `GET /304/none HTTP/1.1\r\nhost: x\r\n${close}\r\n`,
    'no body, to HTTP/1.0 that wants to stay': 'GET /304/none HTTP/1.0\r\nconnection: keep-alive\r\n\r\n',
    'another status': `GET /503/length HTTP/1.1\r\nhost: x\r\n${close}\r\n`,
    'HEAD of a known length': `HEAD /200/length HTTP/1.1\r\nhost: x\r\n${close}\r\n`,
    'HEAD of an unknown length': `HEAD /200/stream HTTP/1.1\r\nhost: x\r\n${close}\r\n`,
    'several requests on one line': `${'GET /200/length HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(3)}GET /200/stream HTTP/1.1\r\nhost: x\r\n${close}\r\n`,
    'HTTP/1.0': 'GET /200/length HTTP/1.0\r\n\r\n',
    'HTTP/1.0 that wants to stay': `GET /200/length HTTP/1.0\r\nconnection: keep-alive\r\n\r\nGET /200/length HTTP/1.0\r\n\r\n`,
    'HTTP/1.0 and an unknown length, where the line must close':
      'GET /200/stream HTTP/1.0\r\nconnection: keep-alive\r\n\r\n',
  })) {
    it(`for ${what}`, async () => {
      const [expected, internal, fallback] = await Promise.all(servers.map(server => sentBy(server, request)));
      assert.deepEqual(internal, expected);
      assert.deepEqual(fallback, expected, 'without the internals of Node');
    });
  }
});
