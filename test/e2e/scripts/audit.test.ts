import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { verdictOf } from '../../../scripts/audit.ts';

const report = (...severities: string[]) =>
  JSON.stringify({
    vulnerabilities: Object.fromEntries(severities.map((s, i) => [`p${i}`, { severity: s, range: '<2' }])),
  });

describe('the audit of dependencies', () => {
  for (const [what, json, verdict, text] of [
    ['no hole', report(), 'clean', ''],
    ['small holes', report('low', 'moderate'), 'clean', ''],
    ['a grave one', report('low', 'high'), 'holes', 'p1 <2: high; see npm audit'],
    ['a critical one', report('critical'), 'holes', 'p0 <2: critical; see npm audit'],
    [
      'a registry that does not answer this',
      '{"message":"405 Method Not Allowed - POST https://r.example/x"}',
      'none',
      '405',
    ],
    ['no answer at all', '', 'none', 'no answer'],
  ] as const) {
    it(`${what}: ${verdict}`, () => {
      const found = verdictOf(json);
      assert.equal(found.verdict, verdict);
      assert.ok(found.text.includes(text) && !found.text.includes('https'), found.text);
    });
  }
});
