// Columns of one's own with the real program: they are there everywhere, a change is computed in the background, a removed one is gone.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { run } from '../../resilience/faults/loading.ts';
import { ServerProcess } from '../../support/server-process.ts';
import { ask } from '../../support/service.ts';

const folder = mkdtempSync(join(tmpdir(), 'tidemark-columns-'));
const store = `sqlite:${join(folder, 'store.db')}`;
const config = join(folder, 'settings.json');
const TIMEOUT_MS = 30_000;

const DAYS = Array.from({ length: 120 }, (_, i) => new Date(Date.UTC(2026, 0, 1 + i)).toISOString().slice(0, 10));
const close = (i: number) => 100 + 10 * Math.sin(i / 7) + i / 10;

function define(columns: Readonly<Record<string, unknown>>): void {
  writeFileSync(config, JSON.stringify({ columns }));
}

async function ingest(until = DAYS.length): Promise<void> {
  const lines = DAYS.slice(0, until).map(
    (day, i) => `AAA,${day},${close(i)},${close(i) + 1},${close(i) - 1},${1000 + i}`,
  );
  const file = join(folder, 'bars.csv');
  writeFileSync(file, ['symbol,day,close,high,low,volume', ...lines].join('\n'));
  await tidemark('ingest', 'csv', file, '--store', store, '--config', config);
}

let server: ServerProcess | null = null;
async function start(): Promise<void> {
  server = await ServerProcess.start('--store', store, '--open', '--workers', '2', '--config', config);
}
async function stop(): Promise<void> {
  await server?.stop();
  server = null;
}

type Row = Record<string, number | string | null>;
async function rows(path: string): Promise<Row[]> {
  const giveUp = performance.now() + TIMEOUT_MS;
  for (;;) {
    const answer = await ask(server!.url, `/v1/crypto/${path}`);
    if (answer.status === 200) return answer.json<{ result: Row[] }>().result;
    assert.ok(answer.status === 503 && performance.now() < giveUp, answer.text);
    await wait(100);
  }
}

/** Fails unless it succeeds; returns what it printed. */
async function tidemark(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await run(...args);
  assert.equal(code, 0, stderr);
  return stdout;
}

const last = DAYS.length - 1;
const mean = (from: number, to: number) => {
  let sum = 0;
  for (let i = from; i <= to; i++) sum += close(i);
  return sum / (to - from + 1);
};

before(() => define({ own_sma: 'sma(close, 60)', ratio: 'sma(volume, 7) / sma(volume, 90)', same: 'ema(close, 12)' }));
after(async () => {
  await stop();
  rmSync(folder, { recursive: true });
});

describe('columns of the settings file', () => {
  it('are in the listing, in histories, on past days, in filters, orders and explanations', async () => {
    await ingest(100);
    await start();
    await ingest();
    for (;;) {
      const [row] = await rows('ta-cur?incl_cols=own,ema12');
      if (String(row!['datetimeUTC']).startsWith(DAYS[last]!)) {
        assert.ok(Math.abs(Number(row!['own_sma']) / mean(last - 59, last) - 1) < 1e-12);
        assert.equal(row!['same'], row!['ema12']);
        assert.ok(Number(row!['ratio']) > 1);
        break;
      }
      await wait(50);
    }
    const [now] = await rows('ta-cur?incl_cols=all');
    const [history] = await rows('ta-hist?symbol=AAA&limit=1&incl_cols=all');
    for (const name of ['own_sma', 'ratio', 'same']) assert.equal(history![name], now![name], name);
    const [past] = await rows(`ta-cur?as_of=${DAYS[80]}&incl_cols=own`);
    assert.ok(Math.abs(Number(past!['own_sma']) / mean(21, 80) - 1) < 1e-12);
    assert.equal(past!['ratio'], null, 'a window of 90 days after 81');
    assert.equal((await rows('ta-cur?own_sma=1:&sort=ratio&where=own_sma%20%3E%200&min_history=60')).length, 1);
    const [shown] = await rows('ta-cur?calc=before:lag(own_sma,1)');
    assert.ok(Math.abs(Number(shown!['before']) / mean(last - 60, last - 1) - 1) < 1e-12);
    const explained = await ask(server!.url, '/v1/crypto/explain/AAA/ratio');
    const { value, relative_error: error } = explained.json<{ value: number; relative_error: number }>();
    assert.ok(value === now!['ratio'] && error < 1e-12);
  });

  it('are in the catalogue with formula and window, in the OpenAPI document, in exports and in verify', async () => {
    const catalog = await ask(server!.url, '/v1/catalog');
    const { datasets } = catalog.json<{ datasets: { name: string; columns: Row[] | null }[] }>();
    const column = datasets.find(({ name }) => name === 'ta-cur')!.columns!.find(({ name }) => name === 'ratio')!;
    assert.deepEqual(
      [column['group'], column['formula'], column['window'], column['min_history']],
      ['own', 'sma(volume, 7) / sma(volume, 90)', 90, 90],
    );
    assert.ok((await ask(server!.url, '/v1/openapi.json')).text.includes('own_sma'));
    const verified = await tidemark('verify', '--store', store, '--config', config, '--json');
    assert.deepEqual(JSON.parse(verified).differences, []);
    const out = join(folder, 'lake');
    await tidemark(
      'export',
      '--dataset',
      'ta-hist',
      '--out',
      out,
      '--format',
      'csv',
      '--incl-cols',
      'own',
      '--store',
      store,
      '--config',
      config,
    );
  });

  it('are not dropped by a command that does not know them', async () => {
    const file = join(folder, 'other.csv');
    writeFileSync(file, `symbol,day,close\nAAA,${DAYS[last]},${close(last)}\nBBB,${DAYS[last]},1`);
    const { code, stderr } = await run('ingest', 'csv', file, '--store', store);
    assert.equal(code, 1);
    assert.match(stderr, /columns of a settings file.*\n.*--config/);
    const verified = await run('verify', '--store', store);
    assert.equal(verified.code, 1);
    assert.match(verified.stderr, /columns of a settings file.*\n.*--config/);
    const [row] = await rows('ta-cur?incl_cols=own');
    assert.equal(typeof row!['own_sma'], 'number');
  });

  it('that changed are computed while the server runs, and those that were removed are gone', async () => {
    await stop();
    define({ own_sma: 'sma(close, 30)', added: 'max(high, 10) - min(low, 10)' });
    const early = await run('verify', '--store', store, '--config', config);
    assert.equal(early.code, 1, early.stdout);
    assert.match(
      early.stdout,
      /1 asset left out: the settings file defines other columns than their published rows have;/,
    );
    assert.doesNotMatch(early.stdout, /interrupted/);
    await start();
    // The columns of every row are there at once.
    assert.equal((await ask(server!.url, '/v1/crypto/ta-cur')).status, 200);
    const [row] = await rows('ta-cur?incl_cols=own');
    assert.ok(Math.abs(Number(row!['own_sma']) / mean(last - 29, last) - 1) < 1e-12);
    assert.equal(typeof row!['added'], 'number');
    assert.equal('ratio' in row!, false);
    const gone = await ask(server!.url, '/v1/crypto/ta-cur?sort=ratio');
    assert.equal(gone.json<{ code: string }>().code, 'unknown_column');
    await stop();
    define({});
    await start();
    const [plain] = await rows('ta-cur?incl_cols=all');
    assert.equal('own_sma' in plain!, false);
    assert.equal(typeof plain!['ema12'], 'number');
  });
});

describe('tidemark columns', () => {
  it('check states the cost of a publication, list the definitions', async () => {
    define({ a: 'sma(close,5)/2', deep: 'sma(ema(close, 5), 10)' });
    const text = await tidemark('columns', 'check', '--store', store, '--config', config);
    assert.match(text, /sma\(close, 5\) \/ 2/);
    assert.match(text, /whole history/);
    assert.match(text, /Publication of all 1 asset /);
    assert.match(text, /Ratio +[\d.]+ ×/);
    const listed = JSON.parse(await tidemark('columns', 'list', '--config', config, '--json')) as Row[];
    assert.deepEqual(
      listed.map(({ name, formula, window }) => [name, formula, window]),
      [
        ['a', 'sma(close, 5) / 2', 5],
        ['deep', 'sma(ema(close, 5), 10)', 14],
      ],
    );
  });

  const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`c${i}`, 'close']));
  for (const [what, columns, message] of [
    [
      'an unknown function',
      { x: 'emma(close, 9)' },
      /settings\.json: columns: "x": unknown function "emma", at position 0.*\n.*ema/,
    ],
    ['an unknown series', { x: 'sma(clos, 9)' }, /unknown series "clos", at position 4.*\n.*close/],
    ['a window of a billion', { x: 'sma(close, 1000000000)' }, /1 to 400/],
    ['a window that is not whole', { x: 'sma(close, 2.5)' }, /at position 11/],
    ['windows that reach too far', { x: 'sma(sma(sma(close, 400), 400), 400)' }, /reaches back 1197/],
    ['deep nesting', { x: `${'('.repeat(400)}close` }, /16 levels/],
    ['a long text', { x: 'close+'.repeat(1000) }, /6000 characters/],
    ['a missing end', { x: 'sma(close, 5' }, /not the end/],
    ['an operator too many', { x: 'close + * 2' }, /at position 8/],
    ['a sign of another language', { x: 'close ^ 2' }, /cannot have "\^", at position 6/],
    ['a number alone', { x: '1 + 1' }, /reads no series/],
    ['a built-in name', { price: 'close' }, /built-in column/],
    ['a name of a parameter', { limit: 'close' }, /another meaning/],
    ['a name of a function', { sma: 'close' }, /another meaning/],
    ['a name in capitals', { EMA9: 'ema(close, 9)' }, /cannot be the name/],
    ['a prototype', JSON.parse('{"__proto__": "close"}'), /cannot be the name/],
    ['something else than a text', { x: 5 }, /text of a definition/],
    ['a list', [], /an object of definitions/],
    ['10,000 definitions', many, /10000 columns are defined/],
  ] as const) {
    it(`refuses ${what}, with the place and the reason`, async () => {
      writeFileSync(config, JSON.stringify({ columns }));
      const { code, stderr } = await run('columns', 'check', '--config', config);
      assert.equal(code, 2, stderr);
      assert.match(stderr, message);
      assert.ok(stderr.length < 1000);
    });
  }
});
