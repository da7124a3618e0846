// The table of the suites as a page of the docs.

import type { Outcome, Suite } from './suite.ts';

export interface Entry extends Pick<Suite, 'name' | 'tests'> {
  readonly outcome: Outcome;
}

export function conformanceReport(entries: readonly Entry[]): string {
  const rows = entries.map(({ name, tests, outcome }) =>
    'missing' in outcome
      ? `| ${name} | ${tests} | not run: ${outcome.missing} | | |`
      : `| ${name} | ${tests} | ${outcome.tool} | ${outcome.passed.toLocaleString('en-US')} ${outcome.counted} | ${outcome.failed.length} |`,
  );
  const details = entries.flatMap(({ name, outcome }) => {
    if ('missing' in outcome || outcome.failed.length + outcome.inapplicable.length === 0) return [];
    const { failed, inapplicable } = outcome;
    return [
      `\n## ${name}\n`,
      ...failed.map(text => `- failed: ${text}`),
      ...inapplicable.map(({ count, why }) => `- ${count} not applicable: ${why}`),
    ];
  });
  return [
    '# Conformance',
    '',
    'What suites of tests that others wrote say of Tidemark. Written by `npm run conformance`.',
    '',
    '| suite | what it tests | program | passed | failed |',
    '|---|---|---|---:|---:|',
    ...rows,
    ...details,
    '',
  ].join('\n');
}
