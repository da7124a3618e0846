import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseMetrics, sampleValue } from '../../test/support/metric-parser.ts';
import { ERRORS } from '../errors.ts';
import { CELL_NAMES, isGauge } from './cells.ts';
import { METRICS } from './metric-table.ts';
import { MetricText } from './metric-text.ts';
import { BUCKETS, SharedMetrics, STATUSES } from './shared-metrics.ts';
import { writeSharedMetrics } from './write-metrics.ts';

function threads(count: number): SharedMetrics[] {
  const buffer = SharedMetrics.bufferFor(count + 1);
  const all = Array.from({ length: count }, (_, i) => new SharedMetrics(buffer, i + 1));
  for (const metrics of all) metrics.nameRoutes(['none', '/a', '/b', '/a']);
  return all;
}

function written(metrics: SharedMetrics) {
  const text = new MetricText();
  writeSharedMetrics(text, metrics);
  return parseMetrics(text.toString());
}

const DURATION = 'tidemark_http_request_duration_seconds';

describe('the metrics of several threads', () => {
  it('are the same for each, and the sum of all', () => {
    const [one, two] = threads(2);
    one!.countRequest('/a', 'GET', 200, 0.0001, 10);
    two!.countRequest('/a', 'GET', 200, 0.3, 20);
    two!.countRequest('/b', 'HEAD', 304, 11, 0);
    two!.countRequest('none', 'PATCH', 418, 0, 0);
    two!.countProblem('not_found');
    one!.countToolCall('get_asset', 'ok');
    two!.countToolCall('get_asset', 'ok');
    two!.countToolCall('describe_columns', 'error');
    for (const families of [written(one!), written(two!)]) {
      const requests = (route: string, method: string, status: string) =>
        sampleValue(families, 'tidemark_http_requests_total', { route, method, status });
      assert.equal(requests('/a', 'GET', '200'), 2);
      assert.equal(requests('/b', 'HEAD', '304'), 1);
      assert.equal(requests('none', 'other', 'other'), 1);
      assert.equal(sampleValue(families, 'tidemark_http_sent_bytes_total', { route: '/a' }), 30);
      assert.equal(sampleValue(families, `${DURATION}_sum`, { route: '/a' }), 0.3001);
      assert.equal(sampleValue(families, `${DURATION}_bucket`, { route: '/a', le: '0.0001' }), 1);
      assert.equal(sampleValue(families, `${DURATION}_bucket`, { route: '/a', le: '0.5' }), 2);
      assert.equal(sampleValue(families, `${DURATION}_bucket`, { route: '/b', le: '10' }), 0);
      assert.equal(sampleValue(families, `${DURATION}_count`, { route: '/b' }), 1);
      assert.equal(sampleValue(families, 'tidemark_http_problems_total', { code: 'not_found' }), 1);
      const calls = (tool: string, outcome: string) =>
        sampleValue(families, 'tidemark_tool_calls_total', { tool, outcome });
      assert.deepEqual([calls('get_asset', 'ok'), calls('get_asset', 'error')], [2, 0]);
      assert.deepEqual([calls('describe_columns', 'ok'), calls('describe_columns', 'error')], [0, 1]);
    }
  });

  it('never mix two numbers up', () => {
    const [metrics] = threads(1);
    for (const [i, name] of CELL_NAMES.entries()) metrics!.set(name, i + 1);
    for (const status of STATUSES) metrics!.countRequest('/b', 'OPTIONS', status, 1, 1);
    for (const [i, name] of CELL_NAMES.entries()) assert.equal(metrics!.cell(name, 1), i + 1);
    assert.equal(metrics!.requests(2, 2, 1), 1);
    assert.equal(metrics!.requests(1, 2, 1), 0);
    assert.equal(metrics!.bytesSum(2), STATUSES.length);
  });

  it('of a thread that died lose what it had open, and keep what it counted', () => {
    const [one, two] = threads(2);
    for (const name of CELL_NAMES) for (const metrics of [one!, two!]) metrics.add(name, 5);
    two!.countRequest('/a', 'GET', 200, 0, 0);
    one!.clearGauges(2);
    for (const name of CELL_NAMES) assert.equal(one!.cellSum(name), isGauge(name) ? 5 : 10, name);
    assert.equal(one!.requests(1, 0, STATUSES.indexOf(200)), 1);
  });

  it('have the labels that the table promises', () => {
    const [metrics] = threads(1);
    metrics!.countRequest('/a', 'GET', 200, 0, 0);
    metrics!.countProblem('internal');
    for (const [name, { type, samples }] of written(metrics!)) {
      const facts = METRICS[name as keyof typeof METRICS] ?? assert.fail(`${name} is in the table`);
      assert.equal(type, facts.type);
      for (const { labels } of samples) {
        const { le: _, ...others } = labels;
        assert.deepEqual(Object.keys(others).sort(), [...facts.labels].sort(), name);
      }
    }
  });

  it('have a place for every status of an error', () => {
    for (const { status } of Object.values(ERRORS)) assert.ok(STATUSES.includes(status));
    assert.deepEqual(
      [...BUCKETS].sort((a, b) => a - b),
      [...BUCKETS],
    );
  });

  it('have room for a number of routes, and say when there are more', () => {
    const metrics = new SharedMetrics(SharedMetrics.bufferFor(1), 0);
    assert.throws(() => metrics.nameRoutes(Array.from({ length: 100 }, (_, i) => `/${i}`)), /routes/);
  });
});
