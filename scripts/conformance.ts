// Runs the suites of others, each if its program can be had, and writes docs/reports/conformance.md.
//
//   npm run conformance                  all of them
//   npm run conformance -- mcp sse       only those whose name contains a word; the other rows of the table stay

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { styleText } from 'node:util';
import { fileReaders } from './conformance/files.ts';
import { taLib, tulip } from './conformance/indicators.ts';
import { mcpConformance, mcpInspector } from './conformance/mcp.ts';
import { promtool } from './conformance/promtool.ts';
import { conformanceReport, type Entry } from './conformance/report.ts';
import { schemathesis } from './conformance/schemathesis.ts';
import { sseContract } from './conformance/sse.ts';
import type { Suite } from './conformance/suite.ts';
import { useMemoryFolder } from './memory-folder.ts';

const SUITES: readonly Suite[] = [
  schemathesis,
  mcpConformance,
  mcpInspector,
  taLib,
  tulip,
  fileReaders,
  promtool,
  sseContract,
];
const folder = join(import.meta.dirname, '../docs/reports');
/** What the table is made of. */
const kept = join(folder, 'conformance.json');

const words = process.argv.slice(2).map(word => word.toLowerCase());
useMemoryFolder();
const entries = new Map<string, Entry>();
// Written by this script, so it has this shape.
const before = existsSync(kept) ? (JSON.parse(readFileSync(kept, 'utf8')) as Entry[]) : [];
for (const { name, tests, run } of SUITES) {
  const known = before.find(entry => entry.name === name);
  if (words.length > 0 && !words.some(word => name.toLowerCase().includes(word))) {
    if (known !== undefined) entries.set(name, known);
    continue;
  }
  const outcome = await run();
  entries.set(name, { name, tests, outcome });
  process.stdout.write(`${lineOf(name, outcome)}\n`);
}
writeFileSync(kept, `${JSON.stringify([...entries.values()], null, 2)}\n`);
writeFileSync(join(folder, 'conformance.md'), conformanceReport([...entries.values()]));
process.stdout.write('written to docs/reports/conformance.md\n');
const failures = [...entries.values()].flatMap(({ outcome }) => ('missing' in outcome ? [] : outcome.failed));
process.exitCode = failures.length > 0 ? 1 : 0;

function lineOf(name: string, outcome: Entry['outcome']): string {
  if ('missing' in outcome) return `${styleText('gray', '-')} ${name}: skipped, ${outcome.missing}`;
  const mark = outcome.failed.length === 0 ? styleText('green', '✓') : styleText('red', '✗');
  const failed = outcome.failed.map(text => `\n    ${text}`).join('');
  return `${mark} ${name}: ${outcome.passed} ${outcome.counted} passed, ${outcome.failed.length} failed${failed}`;
}
