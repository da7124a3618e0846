// The whole program, with two serving threads: its metrics and its log against what was asked of it.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { DEMO_KEYS } from '../../../src/domain/api-key.ts';
import { EVENTS } from '../../../src/observe/events.ts';
import { LINE_FIELDS, REQUEST_FIELDS } from '../../../src/observe/log-form.ts';
import { METRICS } from '../../../src/observe/metric-table.ts';
import { withStore } from '../../resilience/faults/loading.ts';
import { type Family, parseMetrics, sampleValue } from '../../support/metric-parser.ts';
import { ServerProcess, tidemark } from '../../support/server-process.ts';

const CONNECTIONS = 16;
const EACH = 40;
const LISTING = '/v1/crypto/ta-cur';

describe('a service with two threads', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-observe-'));
  const store = `sqlite:${join(folder, 'store.db')}`;
  let server: ServerProcess;

  before(async () => {
    writeFileSync(join(folder, 'closes.csv'), 'symbol,day,close\nBTC,2026-01-01,1\nBTC,2026-01-02,2\nBTC,nonsense,3\n');
    await tidemark('ingest', 'csv', join(folder, 'closes.csv'), '--store', store);
    server = await ServerProcess.start('--store', store, '--open', '--workers', '2', '--log', 'json');
  });
  after(async () => {
    await server.stop();
    rmSync(folder, { recursive: true });
  });

  /** Over a connection of its own each time, so that both threads are asked. */
  async function metrics(): Promise<Map<string, Family>> {
    const answer = await fetch(`${server.url}/metrics`, { headers: { connection: 'close' } });
    return parseMetrics(await answer.text());
  }

  function ask(agent: Agent, path: string, method = 'GET'): Promise<number> {
    return new Promise((resolve, reject) => {
      const { hostname, port } = new URL(server.url);
      const sent = get({ hostname, port, path, method, agent }, answer => {
        let bytes = 0;
        answer.on('data', chunk => {
          bytes += chunk.length;
        });
        answer.on('end', () => resolve(bytes));
      });
      sent.on('error', reject);
    });
  }

  it('counts every request once, whichever thread answers and whichever is asked for the count', async () => {
    const agents = Array.from({ length: CONNECTIONS }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
    const sums = await Promise.all(
      agents.map(async agent => {
        let bytes = 0;
        for (let i = 0; i < EACH; i++) bytes += await ask(agent, `${LISTING}?limit=1`);
        await ask(agent, LISTING, 'HEAD');
        await ask(agent, `${LISTING}?limt=1`);
        await ask(agent, '/nowhere');
        return bytes;
      }),
    );
    const seen = await metrics();
    const requests = (route: string, method: string, status: string) =>
      sampleValue(seen, 'tidemark_http_requests_total', { route, method, status });
    assert.equal(requests(LISTING, 'GET', '200'), CONNECTIONS * EACH);
    assert.equal(requests(LISTING, 'HEAD', '200'), CONNECTIONS);
    assert.equal(requests(LISTING, 'GET', '400'), CONNECTIONS);
    assert.equal(requests('none', 'GET', '404'), CONNECTIONS);
    assert.equal(
      sampleValue(seen, 'tidemark_http_request_duration_seconds_count', { route: LISTING }),
      CONNECTIONS * (EACH + 2),
    );
    assert.equal(sampleValue(seen, 'tidemark_http_problems_total', { code: 'unknown_parameter' }), CONNECTIONS);
    assert.equal(sampleValue(seen, 'tidemark_http_problems_total', { code: 'not_found' }), CONNECTIONS);
    const bytes = sums.reduce((sum, each) => sum + each, 0);
    assert.ok(sampleValue(seen, 'tidemark_http_sent_bytes_total', { route: LISTING }) > bytes);
    const lookups = ['hit', 'miss'].map(result =>
      sampleValue(seen, 'tidemark_cache_lookups_total', { cache: 'plans', result }),
    );
    assert.equal(lookups[0]! + lookups[1]!, CONNECTIONS * (EACH + 2));
    assert.equal(sampleValue(seen, 'tidemark_http_connections'), CONNECTIONS + 1);
    // This scrape itself.
    assert.equal(sampleValue(seen, 'tidemark_http_requests_in_flight'), 1);
    for (const agent of agents) agent.destroy();
    while (sampleValue(await metrics(), 'tidemark_http_connections') > 1) await wait(20);
  });

  it('says what it serves', async () => {
    const seen = await metrics();
    assert.equal(sampleValue(seen, 'tidemark_snapshot_rows', { dataset: 'ta-cur' }), 1);
    const newest = sampleValue(seen, 'tidemark_snapshot_newest_close_timestamp_seconds');
    assert.equal(newest * 1000, Date.UTC(2026, 0, 2));
    assert.equal(sampleValue(seen, 'tidemark_last_load_rows', { source: 'csv', outcome: 'rejected' }), 1);
    assert.equal(sampleValue(seen, 'tidemark_last_load_state', { source: 'csv', state: 'done' }), 1);
    assert.equal(sampleValue(seen, 'tidemark_store_up'), 1);
    assert.equal(sampleValue(seen, 'tidemark_threads'), 2);
    assert.ok(sampleValue(seen, 'process_resident_memory_bytes') > 10e6);
    assert.ok(sampleValue(seen, 'tidemark_thread_memory_bytes', { thread: '2', kind: 'heap_used' }) > 1e6);
  });

  it('has every figure of the table, and none that is not in it', async () => {
    const demo = `sqlite:${join(folder, 'demo.db')}`;
    const keyed = await ServerProcess.start('--demo', '--store', demo);
    await withStore(demo, opened => opened.recordTick('live test', 1_700_000_000_000));
    const answer = await fetch(`${keyed.url}${LISTING}?limt=1`, { headers: { 'x-api-key': DEMO_KEYS.pro } });
    assert.equal(answer.status, 400);
    let seen = new Map<string, Family>();
    // Loads are looked at a moment after the start.
    while (!seen.has('tidemark_last_load_rows') || !seen.has('tidemark_live_newest_tick_timestamp_seconds')) {
      seen = parseMetrics(await (await fetch(`${keyed.url}/metrics`)).text());
    }
    await keyed.stop();
    assert.deepEqual([...seen.keys()], Object.keys(METRICS));
    for (const [name, { help, type }] of seen) {
      const facts = METRICS[name as keyof typeof METRICS]; // compared above
      assert.deepEqual({ help, type }, { help: facts.help, type: facts.type });
    }
  });

  it('logs each request on a line of its own, whose members are all documented', async () => {
    const id = 'look-for-me';
    await fetch(`${server.url}${LISTING}?limit=1&token=secret`, { headers: { 'x-request-id': id } });
    while (!server.stderr.includes(id)) await wait(20);
    const lines = server.stderr
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line));
    for (const line of lines) {
      assert.deepEqual(Object.keys(line).slice(0, 3), Object.keys(LINE_FIELDS));
      assert.ok(line.event === 'request' || line.event in EVENTS, line.event);
      if (line.event === 'request')
        assert.deepEqual([...Object.keys(line).slice(3), 'aborted'], Object.keys(REQUEST_FIELDS));
    }
    const { time, ms, bytes, thread, ...rest } = lines.find(line => line.id === id);
    assert.deepEqual(rest, {
      level: 'info',
      event: 'request',
      id,
      method: 'GET',
      route: LISTING,
      path: LISTING,
      query: 'limit=1&token=***',
      status: 400,
      code: 'unknown_parameter',
      key: null,
      address: '127.0.0.1',
    });
    assert.ok(Math.abs(Date.now() - Date.parse(time)) < 60_000);
    assert.ok(ms > 0 && bytes > 100 && (thread === 1 || thread === 2));
    assert.equal(lines[0].event, 'serving');
  });

  it('tells of new data', async () => {
    writeFileSync(join(folder, 'more.csv'), 'symbol,day,close\nETH,2026-01-02,2\n');
    await tidemark('ingest', 'csv', join(folder, 'more.csv'), '--store', store);
    while (!server.stderr.includes('"event":"snapshot"')) await wait(20);
    const line = server.stderr.split('\n').find(text => text.includes('"event":"snapshot"'));
    const { version, rows, assets } = JSON.parse(line ?? '');
    const ready = (await (await fetch(`${server.url}/readyz`)).json()) as { version: number };
    assert.deepEqual({ version, rows, assets }, { version: ready.version, rows: 2, assets: 2 });
  });

  it('continues when its log is no longer read', async () => {
    const unread = await ServerProcess.start('--store', store, '--open', '--log', 'json');
    unread.stopReading();
    const path = `${unread.url}/${'x-'.repeat(400)}`;
    const dropped = async () =>
      sampleValue(
        parseMetrics(await (await fetch(`${unread.url}/metrics`)).text()),
        'tidemark_log_lines_dropped_total',
      );
    while ((await dropped()) === 0) {
      await Promise.all(Array.from({ length: 200 }, async () => (await fetch(path)).arrayBuffer()));
    }
    assert.equal((await fetch(`${unread.url}/healthz`)).status, 200);
    assert.equal(await unread.stop(), 0);
  });
});
