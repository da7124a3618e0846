// Refusals of `/mcp` as clients of JSON-RPC read them, and arguments that no program would send.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { TIERS } from '../../src/domain/tiers.ts';
import { ApiError } from '../../src/errors.ts';
import { headerLines } from '../../src/http/wire/head.ts';
import type { TestService } from '../support/service.ts';
import { assertProblem, assertRpcProblem, startContractService } from './contract.ts';
import { message, postMessage } from './mcp-calls.ts';

describe('a refusal of a message', () => {
  for (const [code, status, detail, headers] of [
    ['missing_key', 401, 'This path requires an API key.', headerLines('www-authenticate', 'Bearer realm="tidemark"')],
    ['rate_limited', 429, 'Zu viel: 10 € per second.', headerLines('retry-after', 3)],
  ] as const) {
    it(`is an error of JSON-RPC with the members of a problem: ${code}`, async () => {
      const refusal = new ApiError(code, detail, { hint: 'Wait 3 s.' });
      const service = await startContractService({
        sources: [],
        authenticate: () => ({ refusal, holdMs: 0, key: null, headers, tier: TIERS.free }),
      });
      const answer = await postMessage(service, message('tools/list'));
      const problem = assertRpcProblem(answer, status, code);
      assert.equal(answer.json<{ error: { message: string } }>().error.message, `${detail} Wait 3 s.`);
      assert.deepEqual([problem.detail, problem.hint], [detail, 'Wait 3 s.']);
      const [name, value] = headers.trim().split(': ');
      assert.equal(answer.headers[name!], value);
      // Nobody reads JSON-RPC here.
      assertProblem(await service.ask('/v1/crypto/ta-cur'), status, code);
      await service.close();
    });
  }

  it('says when to retry, with the header as everywhere', async () => {
    const overloaded = new ApiError('overloaded', 'The service is overloaded.');
    const authenticate = () => {
      throw overloaded;
    };
    const service = await startContractService({ sources: [], authenticate });
    const answer = await postMessage(service, message('ping'));
    assertRpcProblem(answer, 503, 'overloaded');
    assert.equal(answer.headers['retry-after'], '1');
    assert.match(answer.text, /"message":"The service is overloaded\. Retry after 1 s\."/);
    await service.close();
  });

  it('of another method is a problem: its client sends no JSON-RPC', async () => {
    const service = await startContractService({ sources: [] });
    assertProblem(await service.ask('/mcp'), 405, 'method_not_allowed');
    await service.close();
  });

  it('for a failure inside is logged, and says nothing of the inside, on every way to a tool', async () => {
    const failures: unknown[] = [];
    const service = await startContractService({ onInternalError: error => failures.push(error) });
    Object.assign(service.store, { profile: () => Promise.reject(new TypeError('secret of the inside')) });
    const call = message('tools/call', { name: 'get_asset', arguments: { asset: 'BTC' } });
    for (const type of ['application/json', 'application/json; charset=utf-8']) {
      const answer = await postMessage(service, call, { headers: { 'content-type': type } });
      assertRpcProblem(answer, 500, 'internal');
      assert.ok(!answer.text.includes('secret'));
    }
    assert.equal(failures.length, 2);
    await service.close();
  });
});

describe('arguments that no program would send', () => {
  let service: TestService;
  before(async () => {
    service = await startContractService();
  });
  after(() => service.close());

  const DEEP = '['.repeat(30_000) + ']'.repeat(30_000);

  for (const type of ['application/json', 'application/json; charset=utf-8']) {
    for (const [tool, json, expected] of [
      ['screen_assets', '{"__proto__":{"where":"price > 1"}}', /There is no argument \\"__proto__\\"/],
      ['screen_assets', '{"constructor":1}', /There is no argument \\"constructor\\"/],
      ['get_asset', '{"asset":"BTC","hasOwnProperty":1}', /There is no argument/],
      ['screen_assets', '{"where":"price > \\ud800"}', /invalid_expression/],
      ['search_assets', '{"text":"\\udfff"}', /No asset contains/],
      ['get_asset', '{"asset":"\\ud800"}', /unknown_asset/],
      ['get_history', '{"asset":"BTC","from":"\\ud800"}', /invalid_value/],
      ['describe_columns', '{"columns":["\\ud800"]}', /unknown_column/],
      ['screen_assets', `{"where":${DEEP}}`, /nested too deeply/],
      ['describe_columns', `{"columns":${DEEP}}`, /nested too deeply/],
    ] as const) {
      it(`get an answer: ${tool} ${json.slice(0, 50)} as ${type}`, async () => {
        const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${tool}","arguments":${json}}}`;
        const answer = await postMessage(service, body, { headers: { 'content-type': type } });
        assert.ok(answer.status === 200 || answer.status === 400, answer.text);
        assert.match(answer.text, expected);
      });
    }
  }
});
