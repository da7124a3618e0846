// The source of a simulation, and the items that it gives.

import assert from 'node:assert/strict';
import { barColumns } from '../../src/domain/bar.ts';
import type { Period } from '../../src/domain/interval.ts';
import { parseProfile } from '../../src/ingest/profiles/parse-profile.ts';
import type { Source, SourceItem } from '../../src/ingest/source.ts';

export function sourceOf(profiles: readonly SourceItem[], items: readonly SourceItem[]): Source {
  return {
    name: 'simulated',
    async *profiles() {
      yield* profiles;
    },
    async *bars() {
      yield* items;
    },
  };
}

export function profileItem(symbol: string, rank: number): SourceItem {
  const parsed = parseProfile({ id: `${symbol.toLowerCase()}-coin`, name: `${symbol} Coin`, symbol, rank });
  return 'ok' in parsed
    ? { kind: 'profile', where: 'simulated', sourced: parsed.ok }
    : assert.fail(parsed.problems.join());
}

export interface SimulatedBar {
  readonly symbol: string;
  readonly period: number;
  readonly close: number;
}

export function barsItem(interval: '1d' | '1m', rows: readonly SimulatedBar[]): SourceItem {
  const columns = barColumns(rows.length);
  columns.day.set(rows.map(row => row.period as Period));
  columns.close.set(rows.map(row => row.close));
  const symbols = [...new Set(rows.map(row => row.symbol))];
  return {
    kind: 'bars',
    batch: {
      ...{ interval, ...columns, count: rows.length, origin: 'simulated' },
      assets: symbols.map(symbol => ({ id: null, symbol })),
      asset: Uint32Array.from(rows, row => symbols.indexOf(row.symbol)),
      line: Uint32Array.from(rows, (_, i) => i + 1),
    },
  };
}
