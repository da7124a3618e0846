// The services' own or best-known clients, unmodified but for the base address: every method that has a path here returns what a plain
// request of that path returns, and the prices of our listing.
//
// The clients come from npm, PyPI and the Go module proxy, into node_modules/.cache. Where they cannot be had, their tests are skipped.

import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pythonEnvironment } from '../../../scripts/python-environment.ts';
import { type DemoServer, startDemo } from '../../support/demo-server.ts';

const root = join(import.meta.dirname, '../../..');
const cache = join(root, 'node_modules/.cache/clients');
const KEY = 'tdm_any'; // the demo of these tests takes every request

const [COIN, ID] = ['aldermoor', 'aldm-aldermoor'];
const [FROM, TO] = [Date.parse('2026-06-01') / 1000, Date.parse('2026-06-20') / 1000];

let demo: DemoServer;
let price: number;
before(async () => {
  demo = await startDemo();
  price = JSON.parse((await demo.ask('/v1/crypto/ta-cur?symbol=ALDM')).text).result[0].price;
});
after(() => demo.close());

/** A plain request of the path. */
async function plain(base: string, path: string): Promise<unknown> {
  const { status, text } = await demo.ask(base + path);
  assert.equal(status, 200, text);
  return JSON.parse(text);
}
const gecko = (path: string) => plain('/coingecko/api/v3/', path);
const paprika = (path: string) => plain('/coinpaprika/v1/', path);

/** What the program prints, as JSON. Not synchronous: this process serves its requests. */
function run(program: string, args: readonly string[]): Promise<unknown> {
  return new Promise((resolve, reject) => {
    execFile(program, args, { maxBuffer: 2 ** 26 }, (error, stdout, stderr) =>
      error ? reject(new Error(`${stdout}\n${stderr}`.trim())) : resolve(JSON.parse(stdout)),
    );
  });
}

/** Compares the result of each method with that of its path. */
async function compare(results: object, paths: Readonly<Record<string, Promise<unknown>>>): Promise<void> {
  assert.deepEqual(Object.keys(results).sort(), Object.keys(paths).sort());
  for (const [method, result] of Object.entries(results)) assert.deepEqual(result, await paths[method], method);
}

/** Installs a package of npm beside the others; returns why not. */
function npmPackage(name: string, version: string): string | false {
  const folder = join(cache, 'npm');
  if (existsSync(join(folder, 'node_modules', name))) return false;
  mkdirSync(folder, { recursive: true });
  const args = ['install', '--prefix', folder, '--no-audit', '--no-fund', '--no-save', '--fetch-retries=0'];
  const { status, stderr } = spawnSync('npm', [...args, `${name}@${version}`], { encoding: 'utf8', timeout: 60_000 });
  return status === 0 ? false : `npm cannot install ${name}: ${stderr?.trim().split('\n').at(-1)}`;
}

const NO_TYPESCRIPT = npmPackage('@coingecko/coingecko-typescript', '8.2.0');
const python = await pythonEnvironment(['pycoingecko', 'coinpaprika']);
const NO_PYTHON = 'missing' in python && python.missing;

describe('@coingecko/coingecko-typescript', () => {
  it('has the answers of every path', { skip: NO_TYPESCRIPT }, async () => {
    const { default: Client } = createRequire(join(cache, 'npm/x.js'))('@coingecko/coingecko-typescript');
    const client = new Client({ demoAPIKey: KEY, baseURL: `${demo.url}/coingecko/api/v3` });
    const usd = { vs_currency: 'usd' };
    const results = {
      ping: await client.ping.get(),
      price: await client.simple.price.get({ ids: COIN, vs_currencies: 'usd' }),
      currencies: await client.simple.supportedVsCurrencies.get(),
      list: await client.coins.list.get(),
      markets: await client.coins.markets.get({ ...usd, per_page: 7, sparkline: true }),
      coin: await client.coins.getID(COIN),
      chart: await client.coins.marketChart.get(COIN, { ...usd, days: '30' }),
      range: await client.coins.marketChart.getRange(COIN, { ...usd, from: FROM, to: TO }),
      ohlc: await client.coins.ohlc.get(COIN, { ...usd, days: '30' }),
      search: await client.search.get({ query: 'ald' }),
      global: await client.global.get(),
    };
    assert.equal(results.price[COIN].usd, price);
    await compare(results, {
      ping: gecko('ping'),
      price: gecko(`simple/price?ids=${COIN}&vs_currencies=usd`),
      currencies: gecko('simple/supported_vs_currencies'),
      list: gecko('coins/list'),
      markets: gecko('coins/markets?vs_currency=usd&per_page=7&sparkline=true'),
      coin: gecko(`coins/${COIN}`),
      chart: gecko(`coins/${COIN}/market_chart?vs_currency=usd&days=30`),
      range: gecko(`coins/${COIN}/market_chart/range?vs_currency=usd&from=${FROM}&to=${TO}`),
      ohlc: gecko(`coins/${COIN}/ohlc?vs_currency=usd&days=30`),
      search: gecko('search?query=ald'),
      global: gecko('global'),
    });
    await assert.rejects(client.coins.getID('nobody'), /404.*coin not found/s);
  });
});

describe('pycoingecko', () => {
  const program = `
import json, sys
from pycoingecko import CoinGeckoAPI
cg = CoinGeckoAPI(demo_api_key=sys.argv[2])
cg.api_base_url = sys.argv[1]
coin, first, last = sys.argv[3], int(sys.argv[4]), int(sys.argv[5])
try:
    cg.get_coin_by_id('nobody')
except ValueError as error:
    unknown = error.args[0]
print(json.dumps({
    'ping': cg.ping(),
    'price': cg.get_price(ids=coin, vs_currencies='usd'),
    'currencies': cg.get_supported_vs_currencies(),
    'list': cg.get_coins_list(),
    'markets': cg.get_coins_markets(vs_currency='usd', per_page=7),
    'coin': cg.get_coin_by_id(coin),
    'chart': cg.get_coin_market_chart_by_id(coin, 'usd', 30),
    'range': cg.get_coin_market_chart_range_by_id(coin, 'usd', first, last),
    'ohlc': cg.get_coin_ohlc_by_id(coin, 'usd', 30),
    'search': cg.search('ald'),
    'global': cg.get_global(),
    'unknown': unknown,
}))`;

  it('has the answers of every path', { skip: NO_PYTHON }, async () => {
    const { python: own } = python as { python: string }; // skipped otherwise
    const args = ['-c', program, `${demo.url}/coingecko/api/v3/`, KEY, COIN, String(FROM), String(TO)];
    const results = Object(await run(own, args));
    assert.equal(results.price[COIN].usd, price);
    await compare(results, {
      ping: gecko('ping'),
      price: gecko(`simple/price?ids=${COIN}&vs_currencies=usd`),
      currencies: gecko('simple/supported_vs_currencies'),
      list: gecko('coins/list'),
      markets: gecko('coins/markets?vs_currency=usd&per_page=7'),
      coin: gecko(`coins/${COIN}`),
      chart: gecko(`coins/${COIN}/market_chart?vs_currency=usd&days=30`),
      range: gecko(`coins/${COIN}/market_chart/range?vs_currency=usd&from=${FROM}&to=${TO}`),
      ohlc: gecko(`coins/${COIN}/ohlc?vs_currency=usd&days=30`),
      search: gecko('search?query=ald'),
      global: gecko('global').then(whole => Object(whole).data),
      unknown: Promise.resolve({ error: 'coin not found' }),
    });
  });
});

describe("coinpaprika's clients", () => {
  const PATHS = {
    global: 'global',
    coins: 'coins',
    coin: `coins/${ID}`,
    tickers: 'tickers',
    ticker: `tickers/${ID}`,
    history: `tickers/${ID}/historical?start=2026-06-01&end=2026-06-20`,
    candles: `coins/${ID}/ohlcv/historical?start=2026-06-01&end=2026-06-20`,
  };
  const answers = (paths: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(paths).map(([method, path]) => [method, paprika(path)]));

  it('coinpaprika of PyPI has the answers of every path', { skip: NO_PYTHON }, async () => {
    const { python: own } = python as { python: string }; // skipped otherwise
    const program = `
import json, sys
from coinpaprika.client import Client
Client.API_URL = sys.argv[1]
client = Client()
client.session.headers['Authorization'] = sys.argv[2]
id = sys.argv[3]
span = {'start': '2026-06-01', 'end': '2026-06-20'}
print(json.dumps({
    'global': client.global_market(),
    'coins': client.coins(),
    'coin': client.coin(id),
    'tickers': client.tickers(),
    'ticker': client.ticker(id),
    'history': client.historical(id, **span),
    'candles': client.candles(id, **span),
    'search': client.search(q='ald'),
    'tags': client.tags(),
}))`;
    const results = Object(await run(own, ['-c', program, `${demo.url}/coinpaprika/v1`, KEY, ID]));
    assert.equal(results.ticker.quotes.USD.price, price);
    await compare(results, answers({ ...PATHS, search: 'search?q=ald', tags: 'tags' }));
  });

  it('@coinpaprika/api-nodejs-client has the answers of every path that it knows', async () => {
    // The package has no types.
    const Client = createRequire(import.meta.url)('@coinpaprika/api-nodejs-client');
    const client = new Client({ config: { headers: { Authorization: KEY } } });
    client.url = `${demo.url}/coinpaprika/v1`;
    const span = { start: '2026-06-01', end: '2026-06-20' };
    const results = {
      global: await client.getGlobal(),
      coins: await client.getCoins(),
      coin: await client.getCoin(ID),
      tickers: await client.getAllTickers(),
      ticker: await client.getAllTickers({ coinId: ID }),
      history: await client.getAllTickers({ coinId: ID, historical: span }),
      candles: await client.getCoinsOHLCVHistorical({ coinId: ID, ...span }),
    };
    assert.equal(results.ticker.quotes.USD.price, price);
    await compare(results, answers(PATHS));
  });
});

/** The program of test/support/go-gecko with the published module; or why there is none. */
function goProgram(): { readonly path: string } | { readonly missing: string } {
  const path = join(cache, 'go-gecko');
  if (existsSync(path)) return { path };
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-go-'));
  try {
    copyFileSync(join(root, 'test/support/go-gecko/main.go'), join(folder, 'main.go'));
    mkdirSync(cache, { recursive: true });
    for (const args of [
      ['mod', 'init', 'tidemark.example/clients'],
      ['get', 'github.com/superoo7/go-gecko@v1.0.0'],
      ['build', '-o', path, '.'],
    ]) {
      const { status, stderr, error } = spawnSync('go', args, { cwd: folder, encoding: 'utf8', timeout: 120_000 });
      if (status !== 0) return { missing: `go ${args[0]}: ${error?.message ?? stderr.trim().split('\n').at(-1)}` };
    }
    return { path };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const go = goProgram();

describe('go-gecko', () => {
  it('parses the answers of every path', { skip: 'missing' in go && go.missing }, async () => {
    const { path } = go as { path: string }; // skipped otherwise
    const found = Object(await run(path, [`${demo.url}/coingecko/api/v3`, KEY, COIN]));
    // The package has prices as 32-bit numbers in some places.
    assert.deepEqual([found.price[COIN].usd, found.single].map(Math.fround), [price, price].map(Math.fround));
    assert.deepEqual([found.id, found.usd, found.currencies.slice(0, 2)], [COIN, price, ['usd', 'crn']]);
    assert.match(found.ping, /To the Moon/);
    assert.equal(found.coins, Object(await gecko('coins/list')).length);
    assert.equal(found.active, Object(await gecko('global')).data.active_cryptocurrencies);
    const markets = Object(await gecko('coins/markets?vs_currency=usd&per_page=5'));
    assert.deepEqual(
      found.markets.map((each: { id: string; current_price: number }) => [each.id, each.current_price]),
      markets.map((each: { id: string; current_price: number }) => [each.id, each.current_price]),
    );
    const { prices } = Object(await gecko(`coins/${COIN}/market_chart?vs_currency=usd&days=30`));
    assert.equal(found.prices.length, prices.length);
    assert.match(found.unknown, /coin not found/);
  });
});
