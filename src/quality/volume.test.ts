import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Chance } from '../../test/contract/query/chance.ts';
import { barsOf, findingsOf, repeated, shortly } from '../../test/support/source-bars.ts';
import { volume } from './volume.ts';

const UNKNOWN = Number.NaN;

function barsWith(volumes: readonly number[]) {
  return barsOf({ close: repeated(1, volumes.length), volume: volumes });
}

function found(volumes: readonly number[]): string[] {
  return shortly(findingsOf(volume, barsWith(volumes)));
}

/** Thirty bars, the one in doubt, and thirty more. */
function around(value: number, ...others: readonly number[]): number[] {
  const rest = Array.from({ length: 60 }, (_, i) => others[i % others.length]!);
  return [...rest.slice(0, 30), value, ...rest.slice(30)];
}

describe('a volume', () => {
  const CASES: readonly (readonly [string, readonly number[], readonly string[]])[] = [
    ['of exactly 100 medians is not found', around(500, 5), []],
    ['above it is found', around(500.01, 5), ['30: 500.01, not 5']],
    ['of the newest bar is found', [...repeated(5, 30), 501], ['30: 501, not 5']],
    ['of the first bar is found', [501, ...repeated(5, 30)], ['0: 501, not 5']],
    ['with 29 others, less than half of 60, is not found', [...repeated(5, 29), 501], []],
    ['among zeros has no level to compare with', around(1e9, 0), []],
    ['among zeros and ones is compared with their median', around(51, 0, 1), ['30: 51, not 0.5']],
    ['of exactly 100 times 0.5 is not found', around(50, 0, 1), []],
    ['among unknown ones is compared with those that are known', around(501, 5, UNKNOWN), ['30: 501, not 5']],
    ['with more than half of the others unknown is not found', around(501, 5, UNKNOWN, UNKNOWN), []],
    ['that is unknown, or infinite, is not found', [...around(UNKNOWN, 5), ...around(Number.POSITIVE_INFINITY, 5)], []],
    [
      'is not compared with infinite or negative ones',
      around(501, 5, Number.POSITIVE_INFINITY, 5, -1),
      ['30: 501, not 5'],
    ],
    ['is not found without any', repeated(UNKNOWN, 100), []],
    ['is not found in no bars', [], []],
  ];
  for (const [name, volumes, expected] of CASES) it(name, () => assert.deepEqual(found(volumes), expected));

  it('is compared with 30 on each side only', () => {
    const far = repeated(1000, 100);
    assert.deepEqual(found([...far, ...around(501, 5), ...far]).includes('130: 501, not 5'), true);
  });

  it('is found as by the definition, computed without any shortcut', () => {
    const chance = new Chance(5);
    let findings = 0;
    for (let round = 0; round < 300; round++) {
      const sizes = [0, 1, 1, 2, 3, 90, 150, 250, 400, UNKNOWN];
      const volumes = Array.from({ length: 20 + chance.below(150) }, () => chance.pick(sizes));
      const expected = byDefinition(volumes);
      assert.deepEqual(
        findingsOf(volume, barsWith(volumes)).map(({ period }) => period),
        expected,
        volumes.join(),
      );
      findings += expected.length;
    }
    assert.ok(findings > 1000, `${findings} findings`);
  });

  function byDefinition(volumes: readonly number[]): number[] {
    return [...volumes.keys()].filter(i => {
      const others = [...volumes.slice(Math.max(0, i - 30), i), ...volumes.slice(i + 1, i + 31)];
      const known = others.filter(each => !Number.isNaN(each)).sort((a, b) => a - b);
      const median = (known[Math.floor((known.length - 1) / 2)]! + known[Math.ceil((known.length - 1) / 2)]!) / 2;
      return known.length >= 30 && median > 0 && volumes[i]! > 100 * median;
    });
  }

  it('says how many medians it is', () => {
    assert.equal(
      findingsOf(volume, barsWith(around(1500, 5)))[0]!.detail,
      'The volume is 300 times the median of the 60 around it.',
    );
  });
});
