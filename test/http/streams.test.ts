import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { StreamPlaces } from '../../src/access/stream-places.ts';
import { TIERS } from '../../src/domain/tiers.ts';
import { openToAll } from '../../src/http/authentication/open-access.ts';
import { Streams } from '../../src/stream/streams.ts';
import { EventClient } from '../support/event-client.ts';
import type { TestService } from '../support/service.ts';
import { assertProblem, type Envelope, LISTING, startContractService } from './contract.ts';
import { MARKET, type MarketAsset, marketSource, wave } from './market.ts';
import { bySymbol, StreamedPage } from './streamed-page.ts';

const EVENTS = '/v1/crypto/events';

interface PublicationData {
  readonly version: number;
  readonly newest_day: string;
  readonly all: boolean;
  readonly changed: number | null;
  readonly added: number | null;
  readonly removed: number | null;
}

const clients: EventClient[] = [];
async function open(service: TestService, path: string, headers: Record<string, string> = {}): Promise<EventClient> {
  const client = await EventClient.open(`${service.url}${path}`, headers);
  clients.push(client);
  return client;
}
after(() => {
  for (const client of clients) client.close();
});

/** The market with other prices of some assets. */
function moved(symbols: readonly string[], factor: number): MarketAsset[] {
  return MARKET.filter(({ symbol }) => symbols.includes(symbol)).map(asset => ({
    ...asset,
    closes: asset.closes.map((close, i) => (i === asset.closes.length - 1 ? close * factor : close)),
  }));
}

describe('SPEC 17: events', () => {
  let service: TestService;
  before(async () => {
    service = await startContractService();
  });
  after(() => service.close());

  it('begin with what is published, and tell each publication with its counts', async () => {
    const client = await open(service, EVENTS);
    const version = await service.store.version();
    const first = await client.next('publication');
    assert.equal(first.id, String(version));
    const unknown = { changed: null, added: null, removed: null };
    assert.deepEqual(JSON.parse(first.data), { version, newest_day: '2026-03-10', all: true, ...unknown });
    const newcomers = ['NEWA', 'NEWB'].map((symbol, i) => ({ symbol, name: symbol, closes: wave(20, 5, i) }));
    await service.load(marketSource([...moved(['BTC', 'ETH', 'FLATA'], 1.1), ...newcomers]));
    const second = await client.data<PublicationData>('publication');
    const { version: next, ...rest } = second;
    assert.equal(next, await service.store.version());
    assert.deepEqual(rest, { newest_day: '2026-03-10', all: false, changed: 3, added: 2, removed: 0 });
    // A delisted asset loses its row.
    await service.load({
      ...marketSource([]),
      async *bars() {
        yield { kind: 'delisted', asset: { id: null, symbol: 'NEWB' } };
      },
    });
    const third = await client.data<PublicationData>('publication');
    assert.deepEqual([third.added, third.removed, third.all], [0, 1, false]);
  });

  it('have the headers that keep proxies from storing them', async () => {
    const { headers, statusCode } = (await open(service, EVENTS)).response;
    assert.equal(statusCode, 200);
    assert.equal(headers['content-type'], 'text/event-stream');
    assert.equal(headers['cache-control'], 'no-store, no-transform');
    assert.equal(headers['x-accel-buffering'], 'no');
    assert.equal(headers['access-control-allow-origin'], '*');
    assert.equal(headers['content-encoding'], undefined);
  });

  it('continue behind Last-Event-ID, each missed publication once', async () => {
    const client = await open(service, EVENTS);
    const { id } = await client.next('publication');
    client.close();
    for (const factor of [1.2, 1.3, 1.4]) await service.load(marketSource(moved(['BTC'], factor)));
    const again = await open(service, EVENTS, { 'last-event-id': id });
    const versions: number[] = [];
    for (let i = 0; i < 3; i++) {
      const { version, all, changed } = await again.data<PublicationData>('publication');
      assert.deepEqual([all, changed], [false, 1]);
      versions.push(version);
    }
    assert.deepEqual(
      versions,
      versions.toSorted((a, b) => a - b),
    );
    assert.equal(versions.at(-1), await service.store.version());
    const current = await open(service, EVENTS, { 'last-event-id': String(versions.at(-1)) });
    await current.until(() => current.comments > 0);
    assert.deepEqual(current.events, []);
  });

  it('say that everything changed if they do not know what the client has seen', async () => {
    for (const id of ['1', 'x', '99999999999999', '-1', '']) {
      const client = await open(service, EVENTS, { 'last-event-id': id });
      assert.equal((await client.data<PublicationData>('publication')).all, true, id);
    }
  });

  it('take no parameters but the API key', async () => {
    assertProblem(await service.ask(`${EVENTS}?limit=5`), 400, 'unknown_parameter', 'limit');
  });

  it('answer HEAD with the headers alone, and OPTIONS for scripts of other origins', async () => {
    for (const path of [EVENTS, `${LISTING}?format=sse`]) {
      const head = await service.ask(path, { method: 'HEAD' });
      assert.deepEqual([head.status, head.headers['content-type']], [200, 'text/event-stream']);
      const preflight = await service.ask(path, { method: 'OPTIONS' });
      assert.match(String(preflight.headers['access-control-allow-headers']), /\bLast-Event-ID\b/);
    }
  });

  it('are 503 without data', async () => {
    const empty = await startContractService({ sources: [] });
    try {
      assertProblem(await empty.ask(EVENTS), 503, 'no_data');
      assertProblem(await empty.ask(`${LISTING}?format=sse`), 503, 'no_data');
    } finally {
      await empty.close();
    }
  });
});

describe('SPEC 17: a query as a stream', () => {
  const QUERIES = [
    'limit=10&sort=price',
    'limit=7&sort=change1&order=asc&page=2',
    'limit=100&price=10:40',
    'limit=20&where=change1 > 0.5 and price < 1000&sort=vol10',
    'limit=15&calc=spread:abs(price - sma5) / price&sort=spread&excl_cols=var5,var7',
    'symbol=BTC,ETH,C01,C02,NEW1&excl_cols=price',
    'limit=5&[price]>:[sma5]&sort=price&order=asc',
    'limit=10&incl_cols=momentum&sort=rsi14',
    'limit=10&where=ema10 < price&sort=rank&order=asc',
  ].map(query => `${LISTING}?${encodeURI(query)}`);

  let service: TestService;
  before(async () => {
    service = await startContractService();
  });
  after(() => service.close());

  const listed = async (path: string) => bySymbol((await service.get<Envelope>(path)).result);

  it('waits for the optional columns, which the store publishes from the first request for one', async () => {
    const path = `${LISTING}?limit=10&incl_cols=momentum&sort=rsi14`;
    const page = new StreamedPage(await open(service, `${path}&format=sse`));
    assert.equal(await page.step(), null);
    assert.equal(page.rows.size, 10);
    assert.deepEqual(page.sorted, await listed(path));
  });

  it('is the page and then its changes: the same as two plain listings, before and after', async () => {
    const pages = await Promise.all(
      QUERIES.map(async path => new StreamedPage(await open(service, `${path}&format=sse`))),
    );
    for (const [i, page] of pages.entries()) {
      assert.equal(await page.step(), null);
      assert.deepEqual(page.sorted, await listed(QUERIES[i]!), QUERIES[i]);
    }
    const symbols = MARKET.filter(({ closes, age }) => closes.length > 0 && age === undefined).map(
      asset => asset.symbol,
    );
    let [entered, left, changed] = [0, 0, 0];
    for (let round = 0; round < 25; round++) {
      const some = symbols.filter((_, i) => (i * 7 + round * 13) % 9 === 0);
      const newcomer = { symbol: `NEW${round}`, name: `New ${round}`, closes: wave(30, 12 + round, round) };
      const befores = pages.map(page => new Map(page.rows));
      await service.load(
        marketSource([...moved(some, 1 + Math.sin(round) / 5), ...(round % 5 === 0 ? [newcomer] : [])]),
      );
      const version = await service.store.version();
      for (const [i, page] of pages.entries()) {
        const known = befores[i]!;
        const event = (await page.step()) ?? assert.fail('the rows were sent again');
        assert.equal(event.version, version);
        const after = await listed(QUERIES[i]!);
        assert.deepEqual(page.sorted, after, `${QUERIES[i]} after round ${round}`);
        // Each list is exactly what differs.
        const now = new Map(after.map(row => [String(row['symbol']), row]));
        const names = (rows: readonly { readonly symbol?: unknown }[]) => rows.map(row => String(row.symbol)).sort();
        assert.deepEqual(names(event.entered), [...now.keys()].filter(symbol => !known.has(symbol)).sort());
        assert.deepEqual(event.left.toSorted(), [...known.keys()].filter(symbol => !now.has(symbol)).sort());
        const differ = [...now].filter(([symbol, row]) => {
          const before = known.get(symbol);
          return before !== undefined && JSON.stringify(before) !== JSON.stringify(row);
        });
        const told = new Set(names(event.changed));
        for (const [symbol] of differ) assert.ok(told.has(symbol), `${symbol} has changed`);
        // A computed column is not compared: each row that was published again is sent.
        if (!QUERIES[i]!.includes('calc=')) assert.equal(told.size, differ.length);
        entered += event.entered.length;
        left += event.left.length;
        changed += event.changed.length;
      }
    }
    assert.ok(entered > 20 && left > 20 && changed > 100, `${entered} entered, ${left} left, ${changed} changed`);
    for (const page of pages) page.client.close();
  });

  it('tells of a ticker that another asset takes over as one changed row', async () => {
    const page = new StreamedPage(await open(service, `${LISTING}?symbol=tide&format=sse`));
    await page.step();
    assert.ok(page.rows.has('Tide'));
    await service.load(
      marketSource([{ symbol: 'TIDE', name: 'Tide Second', closes: wave(100, 4, 3), profile: { rank: 1 } }]),
    );
    const event = (await page.step()) ?? assert.fail();
    assert.deepEqual(page.sorted, await listed(`${LISTING}?symbol=tide`));
    assert.equal(event.entered.length + event.changed.length, 1);
  });

  it('is chosen by Accept, as EventSource sends it, and by format before Accept', async () => {
    const accept = { accept: 'text/event-stream' };
    assert.equal((await open(service, LISTING, accept)).response.headers['content-type'], 'text/event-stream');
    const json = await service.ask(`${LISTING}?format=json`, { headers: accept });
    assert.match(String(json.headers['content-type']), /json/);
    const both = await service.ask(LISTING, { headers: { accept: 'application/json, text/event-stream;q=0.5' } });
    assert.match(String(both.headers['content-type']), /json/);
    for (const path of ['assets', 'ta-cur/stats', 'ta-hist'])
      assertProblem(await service.ask(`/v1/crypto/${path}?symbol=btc&format=sse`), 400, 'invalid_value', 'format');
  });

  it('has no more rows than the tier and a stream allow, and says so', async () => {
    const tier = { ...TIERS.free, maxRows: 3 };
    const small = await startContractService({ authenticate: openToAll(tier) });
    try {
      const page = new StreamedPage(await open(small, `${LISTING}?limit=50&format=sse`));
      await page.step();
      assert.equal(page.rows.size, 3);
      assert.equal(page.client.response.headers['x-limit-applied'], '3');
      page.client.close();
    } finally {
      await small.close();
    }
    const { headers } = (await open(service, `${LISTING}?limit=100000&format=sse`)).response;
    assert.equal(headers['x-limit-applied'], '1000');
  });

  it('refuses what cannot be streamed', async () => {
    const asOf = await service.ask(`${LISTING}?format=sse&as_of=2026-03-01`);
    assertProblem(asOf, 400, 'conflicting_parameters', 'as_of');
    assertProblem(await service.ask(`${LISTING}?format=sse&excl_cols=symbol`), 400, 'invalid_value', 'excl_cols');
  });

  it('sends a client that does not read the newest state, and keeps one message for it', async () => {
    const streams = new Streams({ places: new StreamPlaces() });
    const own = await startContractService({ streams });
    try {
      const path = `${LISTING}?limit=1000&format=sse`;
      const reader = new StreamedPage(await open(own, path));
      const slow = connect(Number(new URL(own.url).port), '127.0.0.1');
      slow.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
      const started = new Promise(resolve => slow.once('readable', resolve));
      await started;
      await reader.step();
      let [written, rounds] = [0, 0];
      // Until the buffers of the operating system are full, and then some more.
      const all = MARKET.map(({ symbol }) => symbol);
      while (streams.pendingBytes === 0 || rounds < 5) {
        await own.load(marketSource(moved(all, 1 + ++written / 1000)));
        await reader.reach(await own.store.version());
        if (streams.pendingBytes > 0) rounds++;
        assert.ok(streams.pendingBytes < 2 ** 20, `${streams.pendingBytes} bytes wait`);
      }
      const [events, ends] = [[] as string[], `"version":${await own.store.version()},`];
      let text = '';
      slow.setEncoding('utf8').on('data', chunk => {
        text += chunk;
      });
      while (!text.includes(ends)) await wait(10);
      for (const [, name] of text.matchAll(/^event: (\w+)$/gm)) events.push(name!);
      assert.ok(events.length < written, `${events.length} events for ${written} publications`);
      assert.equal(events.at(-1), 'rows');
      slow.destroy();
      reader.client.close();
    } finally {
      await own.close();
    }
  });
});

describe('SPEC 17: the limits and the end of streams', () => {
  it('an address without API keys has as many as its tier allows, and each that ends makes room', async () => {
    const service = await startContractService({ authenticate: openToAll({ ...TIERS.unlimited, streams: 2 }) });
    try {
      const first = await open(service, EVENTS);
      await open(service, `${LISTING}?format=sse`);
      const refused = await service.ask(EVENTS);
      assertProblem(refused, 429, 'too_many_streams');
      assert.ok(Number(refused.headers['retry-after']) > 0);
      assert.equal((await service.ask(EVENTS, { method: 'HEAD' })).status, 200);
      first.close();
      let again = await open(service, EVENTS);
      for (let i = 0; again.status !== 200 && i < 100; i++) {
        await wait(20);
        again = await open(service, EVENTS);
      }
      assert.equal(again.status, 200);
    } finally {
      for (const client of clients) client.close();
      await service.close();
    }
  });

  it('a silent stream carries comments', async () => {
    const streams = new Streams({ places: new StreamPlaces(), silentMs: 30, checkMs: 10 });
    const service = await startContractService({ streams });
    try {
      const client = await open(service, `${LISTING}?format=sse`);
      await client.until(() => client.comments >= 3);
      assert.equal(client.events.length, 1);
      client.close();
    } finally {
      await service.close();
    }
  });

  it('a server that stops says goodbye, with a time to wait, and closes the connection', async () => {
    const streams = new Streams({ places: new StreamPlaces() });
    const service = await startContractService({ streams });
    const opened = await Promise.all([open(service, EVENTS), open(service, `${LISTING}?format=sse`)]);
    for (const client of opened) await client.next();
    streams.stop();
    for (const client of opened) {
      assert.deepEqual(await client.data('goodbye'), { reason: 'stopping' });
      await client.closed();
      assert.ok(client.retryMs !== null && client.retryMs >= 500);
    }
    const late = await open(service, EVENTS);
    await late.next('publication');
    await late.next('goodbye');
    await service.close();
  });

  it('bytes that clients do not read are bounded for all of them together', async () => {
    const streams = new Streams({ places: new StreamPlaces(), maxPendingBytes: 0 });
    const service = await startContractService({ streams });
    try {
      const slow = connect(Number(new URL(service.url).port), '127.0.0.1');
      slow.write(`GET ${LISTING}?limit=1000&format=sse HTTP/1.1\r\nHost: x\r\n\r\n`);
      await new Promise(resolve => slow.once('readable', resolve));
      const closed = new Promise(resolve => slow.once('close', resolve).once('error', resolve));
      const all = MARKET.map(({ symbol }) => symbol);
      for (let i = 1; streams.open > 0; i++) {
        await service.load(marketSource(moved(all, 1 + i / 1000)));
        await wait(1);
      }
      slow.resume();
      await closed;
      assert.equal(streams.pendingBytes, 0);
    } finally {
      await service.close();
    }
  });
});
