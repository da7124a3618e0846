// The page on freqtrade: its configuration and strategy, run by the real freqtrade against the real server and the folder that the real
// command wrote. freqtrade's exchange is a local one, which has the markets of the demo.
//
// `pip install freqtrade` installs it. TIDEMARK_PYTHON names a Python that has it; without it the tests are skipped.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { Tidemark } from '../../client/src/index.ts';
import { DEMO_KEYS } from '../../src/domain/api-key.ts';
import type { Row } from '../http/contract.ts';
import { DEMO_URL } from '../support/demo-server.ts';
import { copyDemoStore } from '../support/demo-store.ts';
import { fakeBinance } from '../support/fake-exchanges.ts';
import { type FakeProvider, fakeProvider } from '../support/fake-provider.ts';
import { pythonWith } from '../support/python.ts';
import { ServerProcess, tidemark } from '../support/server-process.ts';

const root = join(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/how-to/freqtrade.md'), 'utf8');
const blocks = [...page.matchAll(/```(\w+)\n([\s\S]*?)```/g)].map(([, language, code = '']) => ({ language, code }));

/** The block of a language that contains a text, asking the server of the test. */
function blockWith(language: string, text: string): string {
  const found = blocks.find(block => block.language === language && block.code.includes(text));
  assert.ok(found, `no block with ${text}`);
  return found.code.replaceAll(DEMO_URL, server.url);
}

const freqtrade = pythonWith('freqtrade');
const skip =
  freqtrade === undefined &&
  'no Python here has freqtrade: pip install freqtrade, and set TIDEMARK_PYTHON to that Python';

const work = mkdtempSync(join(tmpdir(), 'tidemark-freqtrade-'));
const userdir = join(work, 'user_data');
const datadir = join(userdir, 'data/tidemark');
let server: ServerProcess;
let exchange: FakeProvider;
let client: Tidemark;

before(async () => {
  if (freqtrade === undefined) return;
  const store = `sqlite:${join(work, 'demo.db')}`;
  await copyDemoStore(join(work, 'demo.db'));
  server = await ServerProcess.start('--workers', '1', '--demo', '--store', store);
  client = new Tidemark({ url: server.url, apiKey: DEMO_KEYS.pro });
  exchange = await fakeProvider();
  const listed = await client.rows<Row>('ta-cur', { limit: 1000 }).toArray();
  const markets = listed.map(({ symbol }) => ({ base: String(symbol), quote: 'USDT', series: [] }));
  const urls = fakeBinance(exchange, markets);
  mkdirSync(join(userdir, 'strategies'), { recursive: true });
  await tidemark('export', '--format', 'feather', '--layout', 'freqtrade', '--out', datadir, '--store', store);
  writeFileSync(join(work, 'config.json'), blockWith('json', 'dry_run'));
  writeFileSync(join(work, 'past.json'), blockWith('json', 'as_of'));
  const ccxt = { urls, options: { fetchMarkets: { types: ['spot'] } } };
  const local = { exchange: { ccxt_config: ccxt, ccxt_async_config: ccxt } };
  writeFileSync(join(work, 'local-exchange.json'), JSON.stringify(local));
  writeFileSync(join(userdir, 'strategies/trend.py'), blockWith('python', 'IStrategy'));
});
after(async () => {
  await server?.stop();
  await exchange?.close();
  rmSync(work, { recursive: true });
});

/** All that the program printed; fails unless it succeeds. Not synchronous: this process is the exchange. */
function run(args: readonly string[], variables: Readonly<Record<string, string>> = {}): Promise<string> {
  const env = { ...process.env, PYTHONDONTWRITEBYTECODE: '1', COLUMNS: '200', ...variables };
  return new Promise((resolve, reject) => {
    execFile(
      freqtrade ?? '',
      ['-m', 'freqtrade', ...args],
      { cwd: work, env, maxBuffer: 2 ** 24 },
      (error, stdout, stderr) => (error ? reject(new Error(`${stdout}\n${stderr}`.trim())) : resolve(stdout + stderr)),
    );
  });
}

const asFreqtrade = (command: string, ...args: readonly string[]) => run([command, '--userdir', userdir, ...args]);
const CONFIGS = ['--config', 'config.json', '--config', 'local-exchange.json'];

describe('freqtrade', () => {
  it('lists the data of every file, with its days', { skip }, async () => {
    const printed = await asFreqtrade('list-data', '--datadir', datadir, '--show-timerange');
    const { files } = JSON.parse(readFileSync(join(datadir, '_tidemark/manifest.json'), 'utf8'));
    assert.match(printed, new RegExp(`Found ${files.length} pair / timeframe combinations`));
    const [first, last] = [(await bars('asc'))[0]!, (await bars('desc'))[0]!];
    const line = printed.split('\n').find(each => each.includes('ALDM/USDT')) ?? '';
    for (const { datetimeUTC } of [first, last]) assert.ok(line.includes(String(datetimeUTC).slice(0, 10)), line);
  });

  it('reads the pair list, in the order of the listing', { skip }, async () => {
    const printed = await asFreqtrade('test-pairlist', '--one-column', ...CONFIGS);
    const pairs = printed.split('\n').filter(line => /^\S+\/USDT$/.test(line));
    const query = { where: 'price > sma200', min_history: 400, sort: 'turnover30', limit: 20 };
    const rows = (await client.rows<Row>('ta-cur', query).page()).result;
    assert.equal(rows.length, 20);
    assert.deepEqual(
      pairs,
      rows.map(({ symbol }) => `${symbol}/USDT`),
    );
  });

  it('back-tests the strategy on the exported folder', { skip }, async () => {
    const args = ['--datadir', datadir, '--strategy', 'Trend', '--timerange', '20250101-', '--cache', 'none'];
    const printed = await asFreqtrade('backtesting', ...args, ...CONFIGS, '--config', 'past.json');
    assert.match(printed, /Backtesting with data from 2025-01-01 00:00:00 up to 20\d\d/);
    const trades = Number(/Total\/Daily Avg Trades\D+(\d+) \//.exec(printed)?.[1] ?? 0);
    assert.ok(trades > 20, printed);
    const query = { as_of: '2024-12-31', where: 'price > sma200', min_history: 400, sort: 'turnover30', limit: 20 };
    const chosen = (await client.rows<Row>('ta-cur', query).page()).result.map(({ symbol }) => `${symbol}/USDT`);
    const traded = new Set([...printed.matchAll(/\S+\/USDT/g)].map(([pair]) => pair));
    assert.ok(traded.size > 5, printed);
    for (const pair of traded) assert.ok(chosen.includes(pair), pair);
  });
});

/** freqtrade asks CoinGecko by pycoingecko, which reads its base address from the class. */
const ELSEWHERE = `import os
from pycoingecko import CoinGeckoAPI
CoinGeckoAPI._CoinGeckoAPI__API_URL_BASE = os.environ['TIDEMARK_TEST_COINGECKO']
`;

describe('freqtrade with our address for that of CoinGecko', () => {
  it('lists the pairs with the largest market capitalisation', { skip }, async () => {
    const folder = join(work, 'elsewhere');
    mkdirSync(folder);
    writeFileSync(join(folder, 'sitecustomize.py'), ELSEWHERE);
    const largest = { method: 'MarketCapPairList', number_assets: 10, max_rank: 50 };
    const config = { pairlists: [largest], coingecko: { is_demo: true, api_key: DEMO_KEYS.pro } };
    writeFileSync(join(work, 'largest.json'), JSON.stringify(config));
    const variables = { PYTHONPATH: folder, TIDEMARK_TEST_COINGECKO: `${server.url}/coingecko/api/v3/` };
    const args = ['test-pairlist', '--one-column', '--userdir', userdir, ...CONFIGS];
    const printed = await run([...args, '--config', 'largest.json'], variables);
    const rows = (await client.rows<Row>('ta-cur', { sort: 'market_cap', limit: 10 }).page()).result;
    assert.deepEqual(
      printed.split('\n').filter(line => /^\S+\/USDT$/.test(line)),
      rows.map(({ symbol }) => `${symbol}/USDT`),
    );
  });
});

async function bars(order: 'asc' | 'desc'): Promise<readonly Row[]> {
  return (await client.rows<Row>('bars', { symbol: 'ALDM', order, limit: 1 }).page()).result;
}
