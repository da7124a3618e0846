// As many assets as a long answer needs, each with one close.

import { barColumns } from '../../src/domain/bar.ts';
import { dayOfMillis } from '../../src/domain/day.ts';
import type { Source } from '../../src/ingest/source.ts';

export function manyAssets(count: number): Source {
  return {
    name: 'many',
    async *profiles() {},
    async *bars() {
      const columns = barColumns(count);
      columns.day.fill(dayOfMillis(Date.now())!);
      for (let i = 0; i < count; i++) columns.close[i] = i + 1;
      const assets = Array.from({ length: count }, (_, i) => ({ id: null, symbol: `M${i}` }));
      const places = { origin: 'many', line: new Uint32Array(count), asset: Uint32Array.from(assets.keys()) };
      yield { kind: 'bars', batch: { interval: '1d', ...columns, ...places, count, assets } };
    },
  };
}
