import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ASSETS, type Dataset, TA_CUR } from '../domain/datasets.ts';
import { metadataText } from './metadata.ts';

function metadataFor(dataset: Dataset, columns: readonly number[]): Record<string, object> {
  return JSON.parse(Buffer.from(metadataText(dataset, columns), 'latin1').toString('utf8'));
}

describe('metadata', () => {
  it('says of an indicator what it is, how it is computed and what it needs', () => {
    const change7 = TA_CUR.columns.findIndex(({ name }) => name === 'change7');
    assert.deepEqual(metadataFor(TA_CUR, [change7]), {
      change7: {
        type: 'number',
        unit: 'percent',
        nullable: true,
        description: 'Change of the price over 7 days; null if the history is shorter',
        window: 7,
        formula: '(C₀ / C₇ − 1) · 100',
        min_history: 8,
      },
    });
  });

  it('says of every other field its type, unit and meaning only', () => {
    for (const field of Object.values(metadataFor(ASSETS, [0, 3, 4, 7]))) {
      assert.deepEqual(Object.keys(field), ['type', 'unit', 'nullable', 'description']);
    }
  });

  it('has one member for each column that is asked for, in their order', () => {
    const columns = [33, 0, 12];
    assert.deepEqual(Object.keys(metadataFor(TA_CUR, columns)), ['vol50', 'datetimeUTC', 'change365']);
  });
});
