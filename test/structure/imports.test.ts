import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import {
  clientRule,
  findCycle,
  type ImportGraph,
  importsOf,
  serverRule,
  webRule,
  withoutPart,
  wrongDirections,
} from './imports.ts';

const root = join(import.meta.dirname, '../..');

function graphOf(folder: string): ImportGraph {
  const cwd = join(root, folder);
  const files = globSync('**/*.{ts,tsx}', { cwd, exclude: ['**/node_modules/**', 'dist/**'] });
  const sources = files.filter(file => !/\.test\.tsx?$/.test(file));
  return new Map(sources.map(file => [file, importsOf(file, readFileSync(join(cwd, file), 'utf8'))]));
}

const graph = graphOf('src');
const ROOTS = [
  { folder: 'src', rule: serverRule },
  { folder: 'web/src', rule: webRule },
  { folder: 'client', rule: clientRule },
].filter(({ folder }) => existsSync(join(root, folder)));

for (const { folder, rule } of ROOTS) {
  describe(`the imports between the folders of ${folder}/`, () => {
    const modules = graphOf(folder);

    it('follow one direction', () => {
      assert.ok(modules.size > 0, 'the source was found');
      assert.deepEqual(wrongDirections(modules, rule), []);
    });

    it('form no cycle', () => {
      assert.equal(findCycle(modules), null);
    });
  });
}

describe('the sub-folders of src/', () => {
  it('each have a place in the order of their stage', () => {
    assert.deepEqual(withoutPart(graph), []);
  });

  it('without a place are found', () => {
    assert.deepEqual(withoutPart(new Map([['http/planted/file.ts', []]])), ['http/planted/file.ts']);
  });
});

describe('a planted violation is found', () => {
  const planted = (path: string, source: string) => new Map([...graph, [path, importsOf(path, source)]]);

  for (const [path, source] of [
    ['indicators/planted.ts', "import { open } from '../store/store.ts';"],
    ['indicators/planted.ts', "import type { Store } from '../store/store.ts';"],
    ['indicators/planted.ts', "export * from '../http/server.ts';"],
    ['query/planted.ts', "import {\n  a,\n  b,\n} from '../render/json.ts';"],
    ['query/parse/planted.ts', "import { execute } from '../execute/execute.ts';"],
    ['query/planted.ts', "import type { Plan } from './parse/plan.ts';"],
    ['snapshot/columns/planted.ts', "import { build } from '../build/build.ts';"],
    ['store/records/planted.ts', "import { openSqlite } from '../sqlite/store.ts';"],
    ['store/sqlite/planted.ts', "import type { Store } from '../store.ts';"],
    ['domain/planted.ts', "import { currentRow } from '../indicators/engine.ts';"],
    ['store/sqlite/planted.ts', "const late = await import('../../ingest/csv.ts');"],
    ['http/planted.ts', "import '../cli/serve.ts';"],
    ['http/planted.ts', "import { parsePlan } from '../query/parse/parse-plan.ts';"],
    ['http/planted.ts', "import type { ServiceContext } from '../api/context.ts';"],
    ['http/planted.ts', "import { TA_CUR } from '../domain/datasets.ts';"],
    ['http/wire/planted.ts', "import { Scheduler } from '../protection/scheduler.ts';"],
    ['http/protection/planted.ts', "import type { Route } from '../routes.ts';"],
    ['http/server.ts', "import { planted } from './planted/file.ts';"],
    ['api/planted.ts', "import { endpoint } from './endpoints/closes.ts';"],
    ['api/listing/planted.ts', "import { bars } from '../endpoints/bars.ts';"],
    ['api/endpoints/planted.ts', "import { ENDPOINTS } from '../endpoints.ts';"],
    ['stream/planted.ts', "import type { ServiceContext } from '../api/context.ts';"],
    ['config.ts', "import { x } from './cli/serve.ts';"],
    ['ingest/planted.ts', "import { exact } from '../../test/support/oracle/exact.ts';"],
  ] as const) {
    it(`${path}: ${source.replaceAll('\n', ' ')}`, () => {
      assert.equal(wrongDirections(planted(path, source), serverRule).length, 1);
    });
  }

  for (const [path, source] of [
    ['api.ts', "import { theme } from './shell/theme.ts';"],
    ['shell/planted.tsx', "import { TableRow } from '../screener/table-row.tsx';"],
    ['screener/planted.tsx', "import { Indicators } from '../asset/indicators.tsx';"],
    ['asset/planted.tsx', "import { App } from '../app.tsx';"],
    ['catalog.ts', "import { COLUMNS } from '../../src/domain/columns.ts';"],
  ] as const) {
    it(`web/src/${path}: ${source}`, () => {
      assert.equal(wrongDirections(new Map([[path, importsOf(path, source)]]), webRule).length, 1);
    });
  }

  it('client/ that imports from the service', () => {
    const source = "import { COLUMNS } from '../src/domain/columns.ts';";
    assert.equal(wrongDirections(new Map([['index.ts', importsOf('index.ts', source)]]), clientRule).length, 1);
  });

  it('a cycle through a type import', () => {
    const cyclic = new Map([
      ['domain/a.ts', importsOf('domain/a.ts', "import type { B } from './b.ts';")],
      ['domain/b.ts', importsOf('domain/b.ts', "import { a } from './a.ts';")],
    ]);
    assert.equal(findCycle(cyclic), 'domain/a.ts → domain/b.ts → domain/a.ts');
  });
});
