import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isTooDeep } from './message-depth.ts';

const nested = (levels: number) => `${'[{"a":'.repeat(levels / 2)}1${'}]'.repeat(levels / 2)}`;

describe('a message that is nested too deeply', () => {
  for (const [what, text, expected] of [
    ['of 32 levels is not', nested(32), false],
    ['of 34 levels is', nested(34), true],
    ['of 30,000 levels is', nested(30_000), true],
    ['with brackets in a text is not', JSON.stringify({ where: '['.repeat(1000) }), false],
    ['with brackets after an escaped quotation mark is not', JSON.stringify([`"${'['.repeat(1000)}`]), false],
    ['with many lists side by side is not', JSON.stringify(Array(1000).fill([[]])), false],
    ['that is not JSON is judged by its brackets', `${'{'.repeat(40)}"`, true],
    ['that is empty is not', '', false],
  ] as const) {
    it(what, () => assert.equal(isTooDeep(Buffer.from(text)), expected));
  }
});
