// SPEC 16 over HTTP: the explained number is the listing's, digit for digit.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { COLUMNS, OPTIONAL_COLUMNS } from '../../src/domain/catalogue.ts';
import type { Explanation } from '../../src/explain/explain.ts';
import type { TracedInput } from '../../src/explain/origins.ts';
import { type DemoServer, startDemo } from '../support/demo-server.ts';
import { assertValidAnswer } from '../support/openapi.ts';
import type { Problem } from './contract.ts';

const NAMES = [
  ...COLUMNS.filter(({ type }) => type === 'number'),
  ...OPTIONAL_COLUMNS.filter(({ group }) => group !== 'quality'),
].map(({ name }) => name);
const ASSETS = 20;

let demo: DemoServer;
before(async () => {
  demo = await startDemo();
});
after(() => demo.close());

type Row = Readonly<Record<string, string | number | null>>;

async function explained(path: string): Promise<Explanation & { readonly id: string; readonly symbol: string }> {
  const answer = await demo.ask(`/v1/crypto/explain/${path}`);
  assert.equal(answer.status, 200, answer.text);
  return answer.json();
}

describe('SPEC 16: explain', () => {
  it(`equals the listing in every column of ${ASSETS} assets, with an error below 1e-12`, async () => {
    const listing = await demo.ask(`/v1/crypto/ta-cur?limit=${ASSETS}&sort=vol30&incl_cols=all`);
    const { result } = listing.json<{ result: Row[] }>();
    assert.equal(result.length, ASSETS);
    for (const row of result) {
      for (const name of NAMES) {
        const found = await explained(`${encodeURIComponent(row['symbol']!)}/${name}`);
        assert.equal(found.value, row[name], `${row['symbol']} ${name}`);
        assert.equal(`${found.day}T00:00:00.000Z`, row['datetimeUTC']);
        if (found.exact === null) assert.equal(found.value === null, name !== 'ath_at', name);
        else assert.ok((found.relative_error ?? 0) <= 1e-12, `${name}: ${found.relative_error}`);
      }
    }
  });

  it('of a beta shows the closes of the benchmark, which the demo has', async () => {
    const [own, other] = [await explained('aldm/beta90'), await explained('velr/beta90')];
    assert.equal(own.value, 1);
    assert.ok(Number(other.value) > 0.3 && Number(other.value) < 3, `${other.value}`);
    assert.deepEqual(other.inputs[0]!.numbers, { benchmark: own.inputs[0]!.close });
  });

  it('of an earlier day equals the history', async () => {
    const day = '2026-03-15';
    const history = await demo.ask(`/v1/crypto/ta-hist?symbol=ALDM&from=${day}&to=${day}&incl_cols=all`);
    const [row] = history.json<{ result: Row[] }>().result;
    for (const name of [
      'price',
      'change30',
      'sma200',
      'var20',
      'vol50',
      'rsi14',
      'atr14',
      'ath_at',
      'rank',
      'market_cap',
    ]) {
      assert.equal((await explained(`aldm-aldermoor/${name}?as_of=${day}`)).value, row![name], name);
    }
  });

  it('names the asset, the formula and the inputs', async () => {
    const found = await explained('aldm/sma5');
    assert.deepEqual([found.id, found.symbol, found.window, found.unit], ['aldm-aldermoor', 'ALDM', 5, 'USD']);
    assert.equal(found.inputs.length, 5);
    const sum = found.inputs.reduce((total, { close }) => total + close, 0);
    assert.ok(Math.abs(sum / 5 - Number(found.value)) <= 1e-12 * sum);
  });

  it('names the source and the load of each input', async () => {
    const { inputs } = await explained('aldm/sma5');
    for (const input of inputs as readonly TracedInput[]) {
      assert.deepEqual([input.delivered_day, input.replaced_at], [input.day, null]);
      assert.ok(input.load! > 0 && input.source !== null && Date.parse(input.loaded_at!) > 0, JSON.stringify(input));
    }
  });

  it('is computed once for many requests, at the same time and later; a failure is not kept', async t => {
    const { series } = demo.context;
    const { publishedOrigins } = series('1d');
    const parts: number[] = [];
    let fails = true;
    const counting: typeof publishedOrigins = (...wanted) => {
      parts.push(wanted[1]);
      return fails ? Promise.reject(new Error('the disk has failed')) : publishedOrigins(...wanted);
    };
    Object.assign(demo.context, { series: () => ({ ...series('1d'), publishedOrigins: counting }) });
    t.after(() => Object.assign(demo.context, { series }));
    const path = '/v1/crypto/explain/VELR/vol50';
    assert.equal((await demo.ask(path)).status, 500);
    fails = false;
    parts.length = 0;
    const answers = await Promise.all(Array.from({ length: 20 }, () => demo.ask(path)));
    answers.push(await demo.ask(path));
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
    assert.equal(new Set(answers.map(({ text }) => text)).size, 1);
    assert.ok(parts.length > 0);
    assert.deepEqual(parts, [...new Set(parts)]);
  });

  it('answers 304 while nothing has changed', async () => {
    const first = await demo.ask('/v1/crypto/explain/ALDM/vol30');
    const headers = { 'if-none-match': String(first.headers['etag']) };
    const second = await demo.ask('/v1/crypto/explain/ALDM/vol30', { headers });
    assert.equal(second.status, 304);
    for (const { status, headers, body } of [first, second]) {
      assertValidAnswer('/v1/crypto/explain/ALDM/vol30', 'GET', status, headers, body);
    }
  });

  for (const [path, status, code, param] of [
    ['NOBODY/vol30', 404, 'unknown_asset', undefined],
    ['ALDM/vol31', 400, 'unknown_column', 'column'],
    ['ALDM/symbol', 400, 'unknown_column', 'column'],
    ['ALDM/vol30?as_of=tomorrow', 400, 'invalid_value', 'as_of'],
    ['ALDM/vol30?as_of=2026-07-01', 400, 'invalid_value', 'as_of'],
    ['ALDM/vol30?as_of=1999-01-01', 404, 'no_close', undefined],
    ['ALDM/vol30?limit=1', 400, 'unknown_parameter', 'limit'],
    ['ALDM', 404, 'not_found', undefined],
    ['ALDM/vol30/x', 404, 'not_found', undefined],
  ] as const) {
    it(`explain/${path} is refused: ${code}`, async () => {
      const answer = await demo.ask(`/v1/crypto/explain/${path}`);
      const problem = answer.json<Problem>();
      assert.deepEqual([answer.status, problem.code], [status, code]);
      if (param !== undefined) assert.equal(problem.param, param);
    });
  }
});
