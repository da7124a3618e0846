// Every schedule that the docs name is one that `serve` accepts: its intervals, its sources and their flags.

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { checkLoad } from '../../src/cli/ingest.ts';
import { resolveConfig } from '../../src/config.ts';
import { parseSchedule } from '../../src/serve/schedule.ts';

const silent = { json: false, live: false, width: 80, print: () => undefined, say: () => undefined };
const CONTEXT = { config: resolveConfig({}, {}), output: silent };
const root = join(import.meta.dirname, '../..');
const found = globSync(['README.md', 'docs/**/*.md'], { cwd: root }).flatMap(file =>
  [...readFileSync(join(root, file), 'utf8').matchAll(/^\S*tidemark serve .*--schedule '([^']+)'/gm)].map(
    ([, text]) => ({
      file,
      text: text!,
    }),
  ),
);

describe('a schedule in the docs', () => {
  it('is in the README, so that one command leads to real prices', () => {
    assert.ok(found.some(({ file }) => file === 'README.md'));
  });

  for (const { file, text } of found) {
    it(`${file}: ${text}`, () => {
      const loads = parseSchedule(text);
      assert.ok(loads.length > 0);
      for (const { argv } of loads) checkLoad(argv, CONTEXT);
    });
  }

  it('with a flag that no source has would be refused', () => {
    assert.throws(() => checkLoad(parseSchedule('1h ccxt --exchnge kraken')[0]!.argv, CONTEXT));
  });
});
