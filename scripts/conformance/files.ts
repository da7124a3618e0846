// Exported files, read by the programs that users have: the tests of the project that call them.

import { join } from 'node:path';
import { PACKAGES, pythonEnvironment } from '../python-environment.ts';
import { runTests, type Suite } from './suite.ts';

const FILES = ['http/export-folder', 'http/range-readers', 'http/ndjson-arrow', 'docs/lake', 'docs/pandas'];

export const fileReaders: Suite = {
  name: 'pyarrow, Polars, pandas, DuckDB, Spark',
  tests: 'exports as files, as folders and by byte ranges; CSV, NDJSON and Arrow responses',
  async run() {
    const environment = await pythonEnvironment(PACKAGES);
    if ('missing' in environment) return environment;
    const files = FILES.map(name => join(import.meta.dirname, '../../test', `${name}.test.ts`));
    const result = await runTests(files, { TIDEMARK_PYTHON: environment.python });
    return { tool: 'the packages of the Python checks, and @duckdb/node-api', counted: 'tests', ...result };
  },
};
