import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { TestService } from '../support/service.ts';
import { ASSETS, assertProblem, LISTING, startContractService } from './contract.ts';

let service: TestService;
before(async () => {
  service = await startContractService();
});
after(() => service.close());

const PATHS = [LISTING, `${ASSETS}/btc-bitcoin`, ASSETS, '/v1/catalog', '/healthz', '/readyz', '/no/such/path'];

describe('SPEC 2: only GET, HEAD and OPTIONS are served', () => {
  for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'TRACE', 'PROPFIND']) {
    it(`${method} is 405 with Allow, whatever the path`, async () => {
      for (const path of PATHS) {
        const answer = await service.ask(path, { method });
        const { detail } = assertProblem(answer, 405, 'method_not_allowed');
        assert.match(detail, new RegExp(`^${method} `));
        assert.equal(answer.headers.allow, 'GET, HEAD, OPTIONS');
      }
    });
  }

  it('a POST whose body is of an unknown type is 405 too', async () => {
    const answer = await service.ask(LISTING, { method: 'POST', headers: { 'content-type': 'application/x-unknown' } });
    assertProblem(answer, 405, 'method_not_allowed');
  });

  // The times that the answer took are part of these; everything else must be equal.
  const own = new Set(['date', 'x-request-id', 'server-timing', 'content-length']);
  for (const path of [...PATHS, `${LISTING}?format=csv&page=2&limit=10`, `${LISTING}?limit=0`]) {
    it(`HEAD of ${path} is GET without a body`, async () => {
      for (const headers of [{}, { 'accept-encoding': 'gzip' }]) {
        const [get, head] = [
          await service.ask(path, { headers }),
          await service.ask(path, { method: 'HEAD', headers }),
        ];
        assert.equal(head.status, get.status);
        assert.equal(head.body.length, 0);
        assert.deepEqual(Object.keys(head.headers), Object.keys(get.headers));
        for (const [name, value] of Object.entries(get.headers))
          if (!own.has(name)) assert.equal(head.headers[name], value);
      }
    });
  }

  it('HEAD states the length of the body', async () => {
    const path = `${LISTING}?format=csv`;
    const [get, head] = [await service.ask(path), await service.ask(path, { method: 'HEAD' })];
    assert.equal(get.headers['content-length'], String(get.body.length));
    assert.equal(head.headers['content-length'], get.headers['content-length']);
  });
});

describe('SPEC 2: CORS allows any origin to read', () => {
  for (const path of [...PATHS, `${LISTING}?limit=0`, `${ASSETS}/nobody`, `${ASSETS}/%zz`]) {
    it(`${path} may be read by a page of any origin`, async () => {
      const { headers } = await service.ask(path, { headers: { origin: 'https://page.example' } });
      assert.equal(headers['access-control-allow-origin'], '*');
      const exposed = headers['access-control-expose-headers']?.split(', ') ?? [];
      for (const name of ['ETag', 'Link', 'X-Limit-Applied', 'X-Request-Id']) assert.ok(exposed.includes(name), name);
    });
  }

  it('a preflight allows the methods and the headers that a request may have', async () => {
    for (const path of PATHS) {
      const { status, headers, body } = await service.ask(path, {
        method: 'OPTIONS',
        headers: {
          origin: 'https://page.example',
          'access-control-request-method': 'GET',
          'access-control-request-headers': 'x-api-key',
        },
      });
      assert.equal(status, 204);
      assert.equal(body.length, 0);
      assert.equal(headers.allow, 'GET, HEAD, OPTIONS');
      assert.equal(headers['access-control-allow-origin'], '*');
      assert.equal(headers['access-control-allow-methods'], 'GET, HEAD, OPTIONS');
      const allowed = headers['access-control-allow-headers']?.toLowerCase().split(', ') ?? [];
      for (const name of ['authorization', 'x-api-key', 'if-none-match']) assert.ok(allowed.includes(name), name);
    }
  });
});
