// Errors planted into the CSV files of two sources: loads, the publication, `check` and the dataset `findings` show nearly all of them.
// PLANTED_CLOSES names a CSV file (symbol,day,close) with other closes than the simulated ones.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type Day, dayFromIso, isoFromDay } from '../../../src/domain/day.ts';
import { Chance } from '../../contract/query/chance.ts';
import { run } from '../../resilience/faults/loading.ts';
import { type CleanSeries, PLANTED, plantErrors } from '../../support/planted-errors.ts';
import { ServerProcess } from '../../support/server-process.ts';
import { simulatedCloses } from '../../support/simulated-closes.ts';

const INCONSISTENT = 50;
const folder = mkdtempSync(join(tmpdir(), 'tidemark-planted-'));
after(() => rmSync(folder, { recursive: true }));
const url = `sqlite:${join(folder, 'planted.db')}`;

interface Found {
  readonly rule: string;
  readonly symbol: string;
  readonly day: string;
}

const keyOf = ({ rule, symbol, day }: Found) => `${rule} ${symbol} ${day}`;

function closesOf(path: string): CleanSeries[] {
  const rows = readFileSync(path, 'utf8').trim().split('\n').slice(1);
  const cells = rows.map(row => row.split(',') as [symbol: string, day: string, close: string]);
  return Array.from(
    Map.groupBy(cells, ([symbol]) => symbol),
    ([name, own]) => ({
      name,
      period: own.map(([, day]) => dayFromIso(day)!),
      close: own.map(([, , close]) => Number(close)),
    }),
  );
}

/** Plants, writes both files and loads them. Returns what was planted. */
async function loaded(): Promise<Found[]> {
  const chance = new Chance(7);
  const path = process.env['PLANTED_CLOSES'];
  const series = path === undefined ? await simulatedCloses() : closesOf(path);
  const named = series.map((each, i) => ({ ...each, name: `P${i}` }));
  const { beds, planted } = plantErrors(named, chance);
  const bars = beds.flatMap(bed => {
    const { period, close } = bed.bars('a');
    return Array.from(period, (day, i) => ({ symbol: bed.name, day, close: close[i]! }));
  });
  const inconsistent = new Set(Array.from({ length: INCONSISTENT }, () => chance.pick(bars)));
  const line = ({ symbol, day, close }: (typeof bars)[number], high: number) =>
    `${symbol},${isoFromDay(day as Day)},${high},${close * 0.99},${close}`;
  const files = {
    a: bars.map(bar => line(bar, bar.close * (inconsistent.has(bar) ? 0.995 : 1.01))),
    b: beds.flatMap(bed => {
      const { period, close } = bed.bars('b');
      return Array.from(period, (day, i) => line({ symbol: bed.name, day, close: close[i]! }, close[i]! * 1.01));
    }),
  };
  for (const [source, lines] of Object.entries(files)) {
    const file = join(folder, `${source}.csv`);
    writeFileSync(file, `symbol,day,high,low,close\n${lines.join('\n')}\n`);
    const { code, stdout, stderr } = await run('ingest', 'csv', file, '--source', source, '--store', url);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /new findings?/);
  }
  return [
    ...planted.map(({ rule, asset, period }) => ({ rule, symbol: asset, day: isoFromDay(period as Day) })),
    ...Array.from(inconsistent, bar => ({ rule: 'inconsistent', symbol: bar.symbol, day: isoFromDay(bar.day as Day) })),
  ];
}

describe('errors that were planted into the files of two sources', () => {
  let planted: readonly Found[] = [];
  before(async () => {
    planted = await loaded();
  });

  function assertRecall(found: readonly Found[]): void {
    const keys = new Set(found.map(keyOf));
    for (const rule of [...Object.keys(PLANTED), 'inconsistent']) {
      const own = planted.filter(each => each.rule === rule);
      const recall = own.filter(each => keys.has(keyOf(each))).length / own.length;
      assert.ok(own.length > 0 && recall >= (rule === 'inconsistent' ? 1 : 0.95), `${rule}: ${recall}`);
    }
    const expected = planted.filter(({ rule }) => rule === 'inconsistent').map(keyOf);
    assert.deepEqual(
      found
        .filter(({ rule }) => rule === 'inconsistent')
        .map(keyOf)
        .sort(),
      expected.sort(),
      'no others than were planted',
    );
  }

  it('are listed by check', async () => {
    const { code, stdout } = await run('check', '--json', '--store', url);
    assert.equal(code, 1);
    const { findings } = JSON.parse(stdout) as { findings: { rule: string; symbol: string; period: string }[] };
    assertRecall(findings.map(({ rule, symbol, period }) => ({ rule, symbol, day: period })));
  });

  it('are still found after all bars are checked again', async () => {
    const before = (await run('check', '--json', '--store', url)).stdout;
    assert.equal((await run('check', '--again', '--json', '--store', url)).stdout, before);
  });

  it('are rows of the dataset', async () => {
    const server = await ServerProcess.start('--store', url, '--workers', '1', '--open');
    try {
      const found: Found[] = [];
      for (let page = 1; ; page++) {
        const response = await fetch(`${server.url}/v1/crypto/findings?limit=1000&page=${page}`);
        assert.equal(response.status, 200);
        const { result } = (await response.json()) as { result: Record<'rule' | 'symbol' | 'datetimeUTC', string>[] };
        found.push(...result.map(({ rule, symbol, datetimeUTC }) => ({ rule, symbol, day: datetimeUTC.slice(0, 10) })));
        if (result.length < 1000) break;
      }
      assertRecall(found);
    } finally {
      await server.stop();
    }
  });
});
