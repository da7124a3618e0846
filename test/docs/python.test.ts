// The page on Python, and the notebook: every block runs against the demo, and the notebook prints what it shows.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { NOTEBOOK, runNotebook } from '../../scripts/notebook.ts';
import { PACKAGES, pythonEnvironment } from '../../scripts/python-environment.ts';
import { DEMO_URL, startDemo } from '../support/demo-server.ts';
import { runPython } from '../support/python.ts';

const root = join(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/how-to/python.md'), 'utf8');
const blocks = [...page.matchAll(/```python\n([\s\S]*?)```/g)].map(([, code]) => code ?? '');
const environment = await pythonEnvironment(PACKAGES);
const skip = 'missing' in environment && environment.missing;
const python = 'python' in environment ? environment.python : '';

describe('the page on Python', { skip }, () => {
  it('runs', async () => {
    const demo = await startDemo({ publicUrl: null });
    const path = `import sys; sys.path.insert(0, ${JSON.stringify(join(root, 'python/src'))}); sys.dont_write_bytecode = True\n`;
    try {
      const { code, output } = await runPython(python, path + blocks.join('\n').replaceAll(DEMO_URL, demo.url));
      assert.equal(code, 0, output);
      assert.match(output, /\nrows \d+\n/);
      assert.match(output, /unknown_column incl_cols /);
    } finally {
      await demo.close();
    }
  });
});

describe('the notebook', { skip }, () => {
  it('prints what it shows', async () => {
    assert.equal(await runNotebook(python), '6 cells\n');
  });

  it('has all its outputs, and a plot', () => {
    assert.match(readFileSync(NOTEBOOK, 'utf8'), /"image\/png"/);
  });
});
