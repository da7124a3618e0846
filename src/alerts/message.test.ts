import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TA_CUR } from '../domain/datasets.ts';
import { listingUrl } from './listing-url.ts';
import { bodyOf, type Report } from './message.ts';
import { parseAlertQuery } from './parse-alert-query.ts';
import { screenUrl } from './screen-url.ts';

const COLUMNS = ['price', 'change7', 'market_cap', 'rsi14'];
const NAME = 'Over <b> & *sold* @here';

const report: Report = {
  alert: { id: 'alert_1', name: NAME, query: 'where=rsi14 < 30', on: 'both' },
  version: 7,
  day: '2026-03-10',
  entered: {
    count: 2,
    rows: [
      { symbol: 'BTC', price: 61234.5678, change7: -21.2549, market_cap: 1_234_567_890_123, rsi14: null },
      { symbol: 'A_B', price: 1.23456789e-7, change7: 0, market_cap: 999_999, rsi14: 12.3 },
    ],
  },
  left: { count: 25, rows: Array.from({ length: 20 }, (_, i) => ({ symbol: `L${i}` })) },
  columns: TA_CUR.columns.filter(({ name }) => COLUMNS.includes(name)),
  url: 'https://data.example.com/v1/crypto/ta-cur?where=rsi14%20%3C%2030',
  screenUrl: 'https://data.example.com/?where=rsi14%20%3C%2030&sort=price',
  at: '2026-03-10T00:00:01.000Z',
};
const TEST: Report = {
  ...report,
  entered: { count: 0, rows: [] },
  left: { count: 0, rows: [] },
  screenUrl: '',
  isTest: true,
};

const BTC = 'price 61,234.6 USD, change7 -21.25 %, market_cap 1.235T USD, rsi14 unknown';
const A_B = 'price 0.000000123457 USD, change7 0 %, market_cap 999,999 USD, rsi14 12.3 %';
const gone = (bold: (text: string) => string, text: string) =>
  Array.from({ length: 20 }, (_, i) => `• ${bold(`L${i}`)} ${text}`);

describe('a message', () => {
  it('as JSON has what happened in `data`', () => {
    const { alert, version, day, entered, left, url } = report;
    assert.deepEqual(JSON.parse(bodyOf(report, 'json')), {
      type: 'alert.changed',
      timestamp: report.at,
      data: { alert, version, day, entered, left, url, screen_url: report.screenUrl },
    });
  });

  it('for Slack lists the assets with the columns of the query, and escapes what Slack reads as markup', () => {
    const { text } = JSON.parse(bodyOf(report, 'slack'));
    const lines = [
      '*Over &lt;b&gt; &amp; *sold* @here* (2026-03-10)',
      '*Entered: 2*',
      `• *BTC* ${BTC}`,
      `• *A_B* ${A_B}`,
      '*Left: 25*',
      ...gone(symbol => `*${symbol}*`, '(no longer listed)'),
      '… and 5 more',
      '<https://data.example.com/?where=rsi14%20%3C%2030&amp;sort=price|Open the screen>',
    ];
    assert.equal(text, lines.join('\n'));
  });

  it('for Discord escapes its markup and notifies no member', () => {
    const { content, allowed_mentions } = JSON.parse(bodyOf(report, 'discord'));
    assert.deepEqual(allowed_mentions, { parse: [] });
    const lines = content.split('\n');
    assert.equal(lines[0], '**Over \\<b\\> & \\*sold\\* \\@here** \\(2026\\-03\\-10\\)');
    assert.equal(lines[3], `• **A\\_B** ${A_B.replaceAll('_', '\\_')}`);
    assert.equal(lines.at(-1), `[Open the screen](<${report.screenUrl}>)`);
  });

  it('for ntfy is plain text', () => {
    const lines = [`${NAME} (2026-03-10)`, 'Entered: 2', `• BTC ${BTC}`, `• A_B ${A_B}`, 'Left: 25'];
    const text = bodyOf(report, 'ntfy');
    assert.ok(text.startsWith(`${lines.join('\n')}\n• L0 (no longer listed)\n`), text);
    assert.ok(text.endsWith(`\n… and 5 more\n${report.screenUrl}`), text);
  });

  for (const [format, limit] of [
    ['discord', 2000],
    ['ntfy', 4096],
  ] as const) {
    it(`for ${format} shows as many rows as fit, and a link that is too long is left out`, () => {
      const row = { ...report.entered.rows[0]!, symbol: '₿'.repeat(40) };
      const side = { count: 99, rows: Array(20).fill(row) };
      const long = { ...report, entered: side, left: side };
      const textOf = (one: Report) => {
        const body = bodyOf(one, format);
        return format === 'discord' ? String(JSON.parse(body).content) : body;
      };
      const text = textOf(long);
      assert.ok(Buffer.byteLength(text) <= limit, `${Buffer.byteLength(text)} bytes`);
      const shown = text.split('\n').filter(line => line.startsWith('•')).length;
      assert.ok(shown >= 4 && shown < 40, `${shown} rows`);
      assert.ok(text.includes(`… and ${99 - shown / 2} more`), text);
      assert.ok(text.includes(report.screenUrl));
      const unlinked = textOf({ ...long, screenUrl: `https://data.example.com/?where=${'x'.repeat(6000)}` });
      assert.ok(Buffer.byteLength(unlinked) <= limit && !unlinked.includes('example.com'), unlinked);
    });
  }

  it('of a test says so', () => {
    assert.equal(JSON.parse(bodyOf(TEST, 'json')).type, 'alert.test');
    assert.equal(bodyOf(TEST, 'ntfy'), `Test of the alert ${NAME}`);
    assert.match(bodyOf({ ...TEST, screenUrl: report.screenUrl }, 'slack'), /\|Open the screen>"\}$/);
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

describe('the URL of the screen', () => {
  for (const [query, expected] of [
    ['', {}],
    ['where=change7 < -20', { where: 'change7 < -20' }],
    ['?where=a1 > 1&calc=a1:price*2', { calc: 'a1:price*2', where: 'a1 > 1' }],
    [
      'price=10:100&where=rsi14 < 30 or change1 > 5',
      {
        where: '(rsi14 < 30 or change1 > 5) and (price >= 10 and price <= 100)',
      },
    ],
    ['[sma50]>:[sma200]&change365=not_null', { where: '(sma50 > sma200) and (change365 is not null)' }],
    [
      'range=vol30:60:&not_null=change7,change30',
      {
        where: '(vol30 >= 60) and (change7 is not null) and (change30 is not null)',
      },
    ],
    ['range=:5&sort=change1&order=asc&limit=10', { sort: 'change1', order: 'asc', where: 'change1 <= 5' }],
    [
      'symbol[]=BTC&symbol=eth&tag=defi,dex&type=token&min_history=30',
      {
        symbols: 'BTC,eth',
        tag: 'defi,dex',
        type: 'token',
        min_history: '30',
      },
    ],
    ['price=5&incl_cols=rsi14&excl_cols=sma5', { where: 'price = 5' }],
  ] as const) {
    it(`of ${query || 'no query'}`, () => {
      const url = new URL(screenUrl('https://x.example.com/base/', query, parseAlertQuery(query)));
      assert.equal(url.origin + url.pathname, 'https://x.example.com/base/');
      assert.deepEqual(Object.fromEntries(url.searchParams), expected);
    });
  }

  it('ends no link in a chat early, and is empty without a base', () => {
    const query = "where=symbol in ('BTC') or price * 2 > 1";
    const plan = parseAlertQuery(query);
    assert.doesNotMatch(screenUrl('https://x.example.com', query, plan), /[()'*<>|\s]/);
    assert.equal(screenUrl('', query, plan), '');
  });
});
