// What a suite of tests that others wrote says of the product.

import { run } from 'node:test';

export interface Suite {
  readonly name: string;
  /** What of the product it tests. */
  readonly tests: string;
  run(): Promise<Outcome>;
}

export interface Result {
  /** The program and its version. */
  readonly tool: string;
  /** What is counted: `checks`, `vectors`, … */
  readonly counted: string;
  readonly passed: number;
  /** One line each. */
  readonly failed: readonly string[];
  /** What the suite asks of a product that this one is not, with the reason. */
  readonly inapplicable: readonly { readonly count: number; readonly why: string }[];
}

/** `missing` is the reason why the suite cannot run here. */
export type Outcome = Result | { readonly missing: string };

/** Runs test files of the project that use the tools of others, with these variables in their environment. */
export async function runTests(
  files: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): Promise<Pick<Result, 'passed' | 'failed' | 'inapplicable'>> {
  const before = { ...process.env };
  Object.assign(process.env, variables);
  const failed: string[] = [];
  const skipped: string[] = [];
  let passed = 0;
  try {
    for await (const { type, data } of run({
      files: [...files],
      concurrency: 1,
      execArgv: ['--disable-warning=ExperimentalWarning'],
    })) {
      if (type === 'test:fail' && data.details.error.failureType !== 'subtestsFailed') failed.push(data.name);
      if (type !== 'test:pass' || data.details.type === 'suite' || data.name === data.file) continue;
      if (data.skip) skipped.push(String(data.skip));
      else passed++;
    }
  } finally {
    for (const name of Object.keys(variables)) delete process.env[name];
    Object.assign(process.env, before);
  }
  const reasons = Map.groupBy(skipped, reason => reason);
  return { passed, failed, inapplicable: [...reasons].map(([why, all]) => ({ count: all.length, why })) };
}
