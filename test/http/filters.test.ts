import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { TestService } from '../support/service.ts';
import { allRows, assertProblem, LISTING, type Row, startContractService, symbols } from './contract.ts';

let service: TestService;
let everything: readonly Row[];
before(async () => {
  service = await startContractService();
  everything = await allRows(service);
});
after(() => service.close());

type Holds = (row: Readonly<Record<string, number | null>>) => boolean;

/** `some`: also that the case is one, with rows that pass and rows that do not. */
function passes(query: string, holds: Holds, some = true): void {
  it(`${query} passes what it says`, async () => {
    // The columns that the conditions look at are numbers or null.
    const expected = everything.filter(row => holds(row as Record<string, number | null>)).map(row => row['symbol']!);
    if (some) assert.ok(expected.length > 0 && expected.length < everything.length, `${expected.length} rows`);
    assert.deepEqual(await symbols(service, query), expected);
  });
}

function refuses(query: string, code: string, param: string, hint: RegExp = /\S/): void {
  it(`${query} is refused: ${code}`, async () => {
    const problem = assertProblem(await service.ask(`${LISTING}?${query}`), 400, code, param);
    assert.match(problem.hint ?? '', hint);
  });
}

const from10to20: Holds = ({ price }) => price! >= 10 && price! <= 20;

describe('SPEC 3.1: ranges', () => {
  passes('price=10:20', from10to20);
  passes('price=10:', ({ price }) => price! >= 10);
  passes('price=:10', ({ price }) => price! <= 10);
  passes('[price]=10:20', from10to20);
  passes('%5Bprice%5D=10%3A20', from10to20);
  passes('range=price:10:20', from10to20);
  passes('range=%5Bprice%5D%3A10%3A20', from10to20);
  passes('range=[price]:10:20', from10to20);
  passes(
    'range=price:10:20&range=change7:0:',
    row => from10to20(row) && row['change7']! >= 0 && row['change7'] !== null,
  );
  passes('range=price:10:20,change7:0:', row => from10to20(row) && row['change7'] !== null && row['change7']! >= 0);
  passes('price=10:&price=:20', from10to20);
  passes('price=1e1:2E+1', from10to20);
  passes('price=1e1:2e%2B1', from10to20);
  passes('price=10.0:20.000', from10to20);
  passes('change5=-1:1', ({ change5 }) => change5 !== null && Math.abs(change5!) <= 1);
  passes('price=1', ({ price }) => price === 1);
  passes('price=7.5', ({ price }) => price === 7.5);
  passes('price=-0:1e-8', ({ price }) => price! <= 1e-8);
  passes('change1=0', ({ change1 }) => change1 === 0);
  passes('price=1e10:', ({ price }) => price! >= 1e10);
  passes('price=5e307:', () => false, false);

  it('without a column, range applies to the sort column', async () => {
    const expected = everything.filter(({ sma50 }) => Number(sma50) >= 10 && Number(sma50) <= 20).length;
    const { result } = await service.get<{ result: Row[] }>(`${LISTING}?range=10:20&sort=sma50&limit=1000`);
    assert.equal(result.length, expected);
    assert.ok(expected > 0);
  });

  it('both ends are included', async () => {
    const { price } = everything.find(row => row['symbol'] === 'BTC')!;
    assert.deepEqual(await symbols(service, `price=${price}:${price}`), ['BTC']);
    assert.deepEqual(await symbols(service, `price=${price}`), ['BTC']);
  });

  refuses('price=20:10', 'invalid_range', 'price');
  refuses('price=', 'invalid_range', 'price');
  refuses('price', 'invalid_range', 'price');
  refuses('price=:', 'invalid_range', 'price');
  refuses('price=a:b', 'invalid_range', 'price');
  refuses('price=1:2:3', 'invalid_range', 'price');
  for (const number of ['NaN', 'Infinity', '1e999', '0x10', '1_000', '.5', '5.', '01', '1,5', '%2B5', '--1', '١']) {
    refuses(`price=${encodeURI(number)}:`, 'invalid_range', 'price', /as in JSON/);
  }
  refuses('range=price:20:10', 'invalid_range', 'range');
  refuses('range=price', 'invalid_range', 'range');
  refuses('range=10:20', 'column_not_numeric', 'range', /Numeric columns: price/);
  refuses('range=symbol:1:2', 'column_not_numeric', 'range');
  refuses('datetimeUTC=1:2', 'column_not_numeric', 'datetimeUTC');
  refuses('range=prise:1:2', 'unknown_column', 'range', /Did you mean price\?/);
  refuses('range=', 'invalid_value', 'range');
});

describe('SPEC 3.2: comparisons', () => {
  const OPERATORS: Readonly<Record<string, (a: number, b: number) => boolean>> = {
    '=': (a, b) => a === b,
    '!=': (a, b) => a !== b,
    '>': (a, b) => a > b,
    '>=': (a, b) => a >= b,
    '<': (a, b) => a < b,
    '<=': (a, b) => a <= b,
  };
  const compares = (left: string, operator: string, right: string): Holds => {
    return row => row[left] !== null && row[right] !== null && OPERATORS[operator]!(row[left]!, row[right]!);
  };

  for (const operator of Object.keys(OPERATORS)) {
    const text = `[sma50]${operator}:[sma200]`;
    const holds = compares('sma50', operator, 'sma200');
    describe(text, () => {
      passes(text, holds);
      passes(encodeURIComponent(text), holds);
      passes(`${encodeURIComponent(text)}=`, holds);
      passes(text.replaceAll('[', '%5B').replaceAll(']', '%5D'), holds);
      passes(
        text.replace(/[<>]/, sign => encodeURIComponent(sign)),
        holds,
      );
      passes(`sma50${operator}:sma200`, holds);
      passes(`comparison=${encodeURIComponent(text)}`, holds);
      passes(`comparison=${text}`, holds);
      passes(`comparison=sma50${operator}:sma200`, holds);
    });
  }

  passes('[sma200]=:[sma50]', ({ sma200, sma50 }) => sma200 === sma50);
  const both: Holds = row => row['sma5']! > row['sma10']! && row['sma20']! <= row['sma30']!;
  passes('[sma5]>:[sma10]&[sma20]<=:[sma30]', both);
  passes('comparison=[sma5]>:[sma10]&comparison=[sma20]<=:[sma30]', both);
  passes('comparison=[sma5]>:[sma10],[sma20]<=:[sma30]', both);
  passes('[sma5]>:[sma10]&price=10:20', row => from10to20(row) && row['sma5']! > row['sma10']!);
  passes('[change90]>:[change30]', compares('change90', '>', 'change30'));
  passes('[change90]!=:[change30]', compares('change90', '!=', 'change30'));
  passes('[change90]>=:[change90]', ({ change90 }) => change90 !== null);
  passes('[price]!=:[price]', () => false, false);

  refuses('[sma50]>[sma200]', 'invalid_comparison', '[sma50]>[sma200]');
  refuses('[sma50]==:[sma200]', 'invalid_range', '[sma50]');
  refuses('[sma50]=>:[sma200]', 'invalid_range', '[sma50]');
  refuses('[sma50]>:', 'invalid_comparison', '[sma50]>:');
  refuses('>:[sma200]', 'invalid_comparison', '>:[sma200]');
  refuses('[sma50]>:10', 'invalid_comparison', '[sma50]>:10', /use a range/);
  refuses('[symbol]>:[price]', 'column_not_numeric', '[symbol]>:[price]');
  refuses('[price]>:[symbol]', 'column_not_numeric', '[price]>:[symbol]');
  refuses('[sma51]>:[sma200]', 'unknown_column', '[sma51]>:[sma200]', /Did you mean sma5/);
  refuses('comparison=', 'invalid_value', 'comparison');
  refuses('comparison=sma50', 'invalid_comparison', 'comparison');
  refuses('comparison=[Sma50]>:[sma200]', 'unknown_column', 'comparison');
});

describe('SPEC 3.3: not null', () => {
  passes('not_null=change365,change180', ({ change365, change180 }) => change365 !== null && change180 !== null);
  passes('not_null=change180&not_null=change30', ({ change180 }) => change180 !== null);
  passes('not_null=[change90]', ({ change90 }) => change90 !== null);
  passes('change365=not_null', ({ change365 }) => change365 !== null);
  passes('%5Bchange365%5D=not_null', ({ change365 }) => change365 !== null);
  passes('symbol=not_null', () => true, false);
  passes('not_null&price=10:20', from10to20);
  passes(
    'not_null=true&[change90]>:[change30]',
    row => row['change90'] !== null && row['change90']! > row['change30']!,
  );
  passes('not_null=false', () => true, false);

  for (const flag of ['not_null', 'not_null=true', 'not_null=']) {
    it(`${flag} alone applies to the sort column`, async () => {
      const path = `${LISTING}?limit=1000&sort=change180&${flag}`;
      const { result } = await service.get<{ result: Row[] }>(path);
      const expected = everything.filter(row => row['change180'] !== null).length;
      assert.equal(result.length, expected);
      assert.ok(expected < everything.length);
    });
  }

  refuses('not_null=change36', 'unknown_column', 'not_null', /Did you mean change365\?|Did you mean change30\?/);
  refuses('not_null=,', 'invalid_value', 'not_null');
});

describe('SPEC 3: filters in numbers', () => {
  const range = (i: number) => `price=${i}:`;
  it('a hundred are evaluated', async () => {
    const query = Array.from({ length: 100 }, (_, i) => range(i)).join('&');
    assert.deepEqual(await symbols(service, query), await symbols(service, 'price=99:'));
  });

  it('more are refused', async () => {
    const query = Array.from({ length: 101 }, (_, i) => range(i)).join('&');
    assertProblem(await service.ask(`${LISTING}?${query}`), 400, 'too_many_filters', 'price');
  });
});
