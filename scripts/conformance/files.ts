// Files and metrics, read by the programs that users have: the tests of the project that call them.

import { join } from 'node:path';
import { PACKAGES, pythonEnvironment } from '../python-environment.ts';
import { runTests, type Suite } from './suite.ts';

const test = (name: string) => join(import.meta.dirname, '../../test', name);

export const fileReaders: Suite = {
  name: 'pyarrow, Polars, pandas and DuckDB',
  tests: 'exports as files, as folders, by byte ranges, and as Arrow streams',
  async run() {
    const environment = await pythonEnvironment(PACKAGES);
    if ('missing' in environment) return environment;
    const files = [
      'http/export-folder.test.ts',
      'http/range-readers.test.ts',
      'docs/lake.test.ts',
      'docs/pandas.test.ts',
    ];
    const result = await runTests(files.map(test), { TIDEMARK_PYTHON: environment.python });
    return { tool: 'the packages of the Python checks', counted: 'tests', ...result };
  },
};

export const promtool: Suite = {
  name: 'promtool',
  tests: 'the alert rules, fired and not fired, and the metrics',
  async run() {
    const result = await runTests([test('e2e/observe/alerts.test.ts'), test('e2e/observe/deploy.test.ts')]);
    // Without the program, and without apt-get, the test fails with this sentence.
    return { tool: 'Prometheus of Debian', counted: 'tests', ...result };
  },
};
