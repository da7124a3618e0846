// docs/benchmarks.md: its table on top shows what the sections below it say.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { headlineTable } from '../../bench/headlines.ts';
import { sectionsOf } from '../../bench/report.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/benchmarks.md'), 'utf8');

it('the headlines are the figures of the sections', () => {
  const sections = sectionsOf(page);
  assert.ok(page.includes(headlineTable(sections)), 'run any benchmark to write the table again');
});

it('a section without its figures is reported', () => {
  const broken = new Map([['start', 'no figures here']]);
  assert.throws(() => headlineTable(broken), /the section 'start' has no figures for the headline/);
});

it('headlines with figures from a section', () => {
  const start = new Map([['start', 'with 10,000 assets in a SQLite store: **0.61 s**, the median']]);
  assert.match(headlineTable(start), /\| From the command .* \| \*\*0\.61 s\*\* \|/);
});
