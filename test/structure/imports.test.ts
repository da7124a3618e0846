import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { findCycle, importsOf, wrongDirections } from './imports.ts';

const src = join(import.meta.dirname, '../../src');

const files = globSync('**/*.ts', { cwd: src }).filter(file => !file.endsWith('.test.ts'));
const graph = new Map(files.map(file => [file, importsOf(file, readFileSync(join(src, file), 'utf8'))]));

describe('the imports between the folders of src/', () => {
  it('follow the way of the data', () => {
    assert.ok(graph.size > 10, 'the source was found');
    assert.deepEqual(wrongDirections(graph), []);
  });

  it('form no cycle', () => {
    assert.equal(findCycle(graph), null);
  });
});

describe('a planted violation is found', () => {
  const planted = (path: string, source: string) => new Map([...graph, [path, importsOf(path, source)]]);

  for (const [path, source] of [
    ['indicators/planted.ts', "import { open } from '../store/store.ts';"],
    ['indicators/planted.ts', "import type { Store } from '../store/store.ts';"],
    ['indicators/planted.ts', "export * from '../http/server.ts';"],
    ['query/planted.ts', "import {\n  a,\n  b,\n} from '../render/json.ts';"],
    ['domain/planted.ts', "import { currentRow } from '../indicators/engine.ts';"],
    ['store/sqlite/planted.ts', "const late = await import('../../ingest/csv.ts');"],
    ['http/planted.ts', "import '../cli/serve.ts';"],
    ['config.ts', "import { x } from './cli/serve.ts';"],
    ['ingest/planted.ts', "import { exact } from '../../test/support/oracle/exact.ts';"],
  ] as const) {
    it(`${path}: ${source.replaceAll('\n', ' ')}`, () => {
      assert.equal(wrongDirections(planted(path, source)).length, 1);
    });
  }

  it('a cycle through a type import', () => {
    const cyclic = new Map([
      ['domain/a.ts', importsOf('domain/a.ts', "import type { B } from './b.ts';")],
      ['domain/b.ts', importsOf('domain/b.ts', "import { a } from './a.ts';")],
    ]);
    assert.equal(findCycle(cyclic), 'domain/a.ts → domain/b.ts → domain/a.ts');
  });
});
