// docs/benchmarks.md: its table on top shows what the sections below it say.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { it } from 'node:test';
import { headlineTable } from '../../bench/headlines.ts';
import { PAGES, readSections } from '../../bench/report.ts';

it('the headlines are the figures of the sections', () => {
  const page = readFileSync(PAGES.main, 'utf8');
  assert.ok(page.includes(headlineTable(readSections())), 'run any benchmark to write the table again');
});

it('a section without its figures is reported', () => {
  const broken = new Map([['start', 'no figures here']]);
  assert.throws(() => headlineTable(broken), /the section 'start' has no figures for the headline/);
});

it('headlines with figures from a section', () => {
  const start = new Map([['start', 'with 10,000 assets in a SQLite store: **0.61 s**, the median']]);
  assert.match(headlineTable(start), /\| From the command .* \| \*\*0\.61 s\*\* \|/);
});
