// The pandas page, run by a real pandas against the demo: every block works, and every number is read exactly.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { DEMO_URL, startDemo } from '../support/demo-server.ts';
import { pythonWith, runPython } from '../support/python.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/how-to/into-pandas.md'), 'utf8');
const blocks = [...page.matchAll(/```python\n([\s\S]*?)```/g)].map(([, code]) => code ?? '');

const python = pythonWith('pandas');
/** What the page says about versions before 3.1. A warning, such as that of a deprecated argument, is an error. */
const OLDER_PANDAS = `
import functools, warnings
import pandas
warnings.simplefilter('error')
if tuple(int(part) for part in pandas.__version__.split('.')[:2]) < (3, 1):
    pandas.read_csv = functools.partial(pandas.read_csv, float_precision='round_trip')
`;

describe('the pandas page', { skip: python === undefined && 'no Python with pandas on this machine' }, () => {
  it('reads every number exactly', async () => {
    const demo = await startDemo({ publicUrl: null }); // links lead to where it is
    const script = `${OLDER_PANDAS}${blocks.join('\n').replaceAll(DEMO_URL, demo.url)}
assert len(days) > 1000, len(days)
by_symbol = everything.set_index('symbol')
assert len(rows) > 100 and len(crossed) > 0
for column in rows.columns:
    if column == 'datetimeUTC': continue
    for symbol, value in rows[column].items():
        other = by_symbol[column][symbol]
        assert value == other or (pd.isna(value) and pd.isna(other)), (symbol, column, value, other)
print('exact')
`;
    try {
      const { code, output } = await runPython(python!, script);
      assert.deepEqual([code, output.split('\n').at(-1)], [0, 'exact'], output);
    } finally {
      await demo.close();
    }
  });
});
