// The page on Python, and the notebook: every block runs against the demo, and the notebook prints what it shows.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { NOTEBOOK, runNotebook } from '../../scripts/notebook.ts';
import { PACKAGES, pythonEnvironment } from '../../scripts/python-environment.ts';
import { DEMO_URL, startDemo } from '../support/demo-server.ts';
import { pythonWith, runPython } from '../support/python.ts';

const root = join(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/how-to/python.md'), 'utf8');
const blocks = [...page.matchAll(/```python\n([\s\S]*?)```/g)].map(([, code]) => code ?? '');
const environment = await pythonEnvironment(PACKAGES);
const skip = 'missing' in environment && environment.missing;
const python = 'python' in environment ? environment.python : '';

/** Large, so that nothing installs them: the tests run if the Python has them. */
const BACK_TESTERS = ['vectorbt', 'backtrader'] as const;
const isAbout = (library: string) => (code: string) => code.includes(`import ${library}`);
const common = blocks.filter(code => !BACK_TESTERS.some(library => isAbout(library)(code)));

/** What the blocks print, one after the other. */
async function printedBy(program: string, code: readonly string[]): Promise<string> {
  const demo = await startDemo({ publicUrl: null });
  const path = `import sys; sys.path.insert(0, ${JSON.stringify(join(root, 'python/src'))}); sys.dont_write_bytecode = True\n`;
  try {
    const { code: status, output } = await runPython(program, path + code.join('\n').replaceAll(DEMO_URL, demo.url));
    assert.equal(status, 0, output);
    return output;
  } finally {
    await demo.close();
  }
}

describe('the page on Python', () => {
  it('runs', { skip }, async () => {
    const output = await printedBy(python, common);
    assert.match(output, /\nrows \d+\n/);
    assert.match(output, /unknown_column incl_cols /);
  });

  for (const library of BACK_TESTERS) {
    const program = pythonWith(library, 'pyarrow');
    it(`runs with ${library}`, {
      skip: program === undefined && `no Python with ${library} on this machine`,
    }, async () => {
      const output = await printedBy(program!, [blocks[0]!, ...blocks.filter(isAbout(library))]);
      assert.match(output, /\d/);
    });
  }
});

describe('the notebook', () => {
  it('prints what it shows', { skip }, async () => {
    assert.equal(await runNotebook(python), '6 cells\n');
  });

  it('has all its outputs, and a plot', () => {
    assert.match(readFileSync(NOTEBOOK, 'utf8'), /"image\/png"/);
  });
});
