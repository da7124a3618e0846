import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseMetrics, sampleValue } from '../../test/support/metric-parser.ts';
import { MetricText } from './metric-text.ts';

describe('the text of the metrics', () => {
  it('is empty without samples', () => assert.equal(new MetricText().toString(), ''));

  for (const value of ['plain', 'a "quoted" one', 'back\\slash', 'two\nlines', '{brace},comma="x"', 'ünïcode', '\\n']) {
    it(`gives the label ${JSON.stringify(value)} back`, () => {
      const text = new MetricText();
      text.add('tidemark_http_problems_total', { code: value }, 1);
      assert.equal(sampleValue(parseMetrics(text.toString()), 'tidemark_http_problems_total', { code: value }), 1);
    });
  }

  for (const value of [0, 1, 0.1, 1e-7, 1e21, 5e-324, 1.7976931348623157e308, Number.NaN, Infinity, -Infinity]) {
    it(`gives the number ${value} back`, () => {
      const text = new MetricText();
      text.add('tidemark_store_up', {}, value);
      assert.equal(sampleValue(parseMetrics(text.toString()), 'tidemark_store_up'), value);
    });
  }

  it('adds the buckets of a histogram up', () => {
    const text = new MetricText();
    text.addHistogram('tidemark_http_request_duration_seconds', { route: '/' }, [0.1, 1], [3, 0, 2], 7.5);
    const families = parseMetrics(text.toString());
    const name = 'tidemark_http_request_duration_seconds';
    const bucket = (le: string) => sampleValue(families, `${name}_bucket`, { route: '/', le });
    assert.deepEqual([bucket('0.1'), bucket('1'), bucket('+Inf')], [3, 3, 5]);
    assert.equal(sampleValue(families, `${name}_sum`), 7.5);
    assert.equal(sampleValue(families, `${name}_count`), 5);
  });
});
