// Schemathesis: requests that it makes from the OpenAPI document, valid and invalid, and responses that must be as the document says.

import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { pythonEnvironment } from '../python-environment.ts';
import { withDemo } from './demo.ts';
import type { Suite } from './suite.ts';

const run = promisify(execFile);
/** Of each phase and operation. */
const EXAMPLES = 25;
const SEED = 1;

/** What it cannot test, with the reason. */
const EXCLUDED = [
  { path: '/v1/crypto/events', why: 'a stream does not end' },
  { path: '/mcp', why: 'JSON-RPC has suites of its own' },
  // OpenAPI 3.1 allows prefixItems; version 4.32 reads it as a list of items, and refuses the document.
  { path: '/coingecko/api/v3/coins/{id}/market_chart', why: 'Schemathesis does not read prefixItems' },
  { path: '/coingecko/api/v3/coins/{id}/market_chart/range', why: 'Schemathesis does not read prefixItems' },
  { path: '/coingecko/api/v3/coins/{id}/ohlc', why: 'Schemathesis does not read prefixItems' },
];
/** A document cannot say which parameters contradict each other, or what an expression is. */
const EXCLUDED_CHECK = 'positive_data_acceptance';

interface Report {
  readonly schemathesis_version: string;
  readonly test_cases: { readonly generated: number; readonly with_failures: number; readonly errored: number };
  readonly operations: { readonly tested: number };
  readonly failures: readonly { readonly title: string; readonly operations: readonly string[] }[];
  readonly errors: readonly { readonly title: string; readonly count: number }[];
}

export const schemathesis: Suite = {
  name: 'Schemathesis',
  tests: `every operation of the OpenAPI document, ${EXAMPLES} random requests each and the limits of every parameter`,
  async run() {
    const environment = await pythonEnvironment(['schemathesis']);
    if ('missing' in environment) return environment;
    return withDemo(async (url, _, folder) => {
      await untilExported(url);
      const program = join(dirname(environment.python), 'schemathesis');
      const args = [
        ...['run', `${url}/v1/openapi.json`, '--phases', 'examples,coverage,fuzzing'],
        ...['--max-examples', String(EXAMPLES), '--seed', String(SEED), '--suppress-health-check', 'all'],
        ...['--checks', 'all', '--exclude-checks', EXCLUDED_CHECK, '--continue-on-failure'],
        ...EXCLUDED.flatMap(({ path }) => ['--exclude-path', path]),
        ...['--report', 'json', '--report-dir', folder],
      ];
      // It ends with 1 if it finds something, which the report has.
      const output = await run(program, args, { cwd: folder, maxBuffer: 2 ** 26 })
        .then(({ stdout }) => stdout)
        .catch((error: { stdout?: string }) => error.stdout ?? '');
      const [file] = globSync('json-*.json', { cwd: folder });
      if (file === undefined) throw new Error(`Schemathesis wrote no report:\n${output}`);
      const report = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Report; // of its format
      const { generated, with_failures, errored } = report.test_cases;
      return {
        tool: `Schemathesis ${report.schemathesis_version}`,
        counted: `requests to ${report.operations.tested} operations`,
        passed: generated - with_failures - errored,
        failed: [
          ...report.failures.flatMap(({ title, operations }) => operations.map(operation => `${operation}: ${title}`)),
          ...(report.errors.length > 0 ? [errorsIn(output)] : []),
        ],
        inapplicable: [
          ...[...Map.groupBy(EXCLUDED, ({ why }) => why)].map(([why, all]) => ({
            count: all.length,
            why: `${all.length === 1 ? 'operation' : 'operations'}: ${why}`,
          })),
          { count: 1, why: `check (${EXCLUDED_CHECK}): a document cannot say which parameters contradict each other` },
        ],
      };
    });
  },
};

/** The first requests for a large export are 503 while it is written, and Schemathesis takes every such status for a fault. */
async function untilExported(url: string): Promise<void> {
  for (const name of ['ta-cur', 'assets', 'bars', 'ta-hist']) {
    for (;;) {
      const { status, headers } = await fetch(`${url}/v1/crypto/export/${name}.parquet`, { method: 'HEAD' });
      if (status !== 503) break;
      await wait(1000 * Number(headers.get('retry-after') ?? 1));
    }
  }
}

/** What it prints of errors, which are not of the product alone; the report has their number only. */
function errorsIn(output: string): string {
  const [, after = output] = output.split(/^=+ ERRORS =+$/m);
  return (after.split(/^=+ \w+ =+$/m)[0] ?? after).replace(/\s+/g, ' ').trim().slice(0, 1000);
}
