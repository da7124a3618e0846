import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { listingUrl } from './listing-url.ts';
import { bodyOf, type Report } from './message.ts';

const report: Report = {
  alert: { id: 'alert_1', name: 'Over <b> & *sold* @here', query: 'where=rsi14 < 30', on: 'both' },
  version: 7,
  day: '2026-03-10',
  change: { entered: ['BTC', 'ETH'], left: Array.from({ length: 25 }, (_, i) => `L${i}`) },
  rows: { entered: '[{"symbol":"BTC"}]', left: '[]' },
  url: 'https://data.example.com/v1/crypto/ta-cur?where=rsi14%20%3C%2030',
  at: '2026-03-10T00:00:01.000Z',
};
const LEFT = `Left: ${Array.from({ length: 20 }, (_, i) => `L${i}`).join(', ')} and 5 more`;

describe('a message', () => {
  it('as JSON has what happened in `data`', () => {
    const { change, rows, isTest, ...facts } = { ...report, isTest: undefined };
    const { at, ...data } = facts;
    assert.deepEqual(JSON.parse(bodyOf(report, 'json')), {
      type: 'alert.changed',
      timestamp: at,
      data: { ...data, entered: { count: 2, rows: [{ symbol: 'BTC' }] }, left: { count: 25, rows: [] } },
    });
  });

  it('for Slack escapes what Slack reads as markup', () => {
    const { text } = JSON.parse(bodyOf(report, 'slack'));
    const lines = ['Over &lt;b&gt; &amp; *sold* @here (2026-03-10)', 'Entered: BTC, ETH', LEFT, report.url];
    assert.equal(text, lines.join('\n'));
  });

  it('for Discord notifies no member and stays within its limit', () => {
    const long = { ...report, alert: { ...report.alert, name: '*'.repeat(3000) } };
    const { content, allowed_mentions } = JSON.parse(bodyOf(long, 'discord'));
    assert.deepEqual(allowed_mentions, { parse: [] });
    assert.ok(content.length <= 2000 && content.endsWith(`…\n${report.url}`), `${content.length}`);
    assert.match(JSON.parse(bodyOf(report, 'discord')).content, /^Over \\<b\\> & \\\*sold\\\* \\@here /);
  });

  it('for ntfy is plain text', () => {
    assert.match(bodyOf(report, 'ntfy'), /^Over <b> & \*sold\* @here \(2026-03-10\)\nEntered: BTC, ETH\nLeft: L0, /);
  });

  it('of a test says so', () => {
    const test: Report = { ...report, change: { entered: [], left: [] }, url: '', isTest: true };
    assert.equal(JSON.parse(bodyOf(test, 'json')).type, 'alert.test');
    assert.equal(bodyOf(test, 'ntfy'), 'Test of the alert Over <b> & *sold* @here');
  });
});

describe('the URL of the listing', () => {
  for (const [base, query, url] of [
    ['https://x.example.com/', 'where=a < 1', 'https://x.example.com/v1/crypto/ta-cur?where=a%20%3C%201'],
    ['http://127.0.0.1:8080', 'where=a%20%3C%201', 'http://127.0.0.1:8080/v1/crypto/ta-cur?where=a%20%3C%201'],
    ['http://h/base', '', 'http://h/base/v1/crypto/ta-cur'],
    ['', 'price=1:', ''],
  ] as const) {
    it(`with ${base || 'no base'} and ${query || 'no query'}`, () =>
      assert.equal(listingUrl(base, 'crypto', query), url));
  }
});
