import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { DEMO_KEYS, KEY_PATTERN } from '../../src/domain/api-key.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/how-to/keys.md'), 'utf8');

for (const [tier, key] of Object.entries(DEMO_KEYS)) {
  it(`the docs name the demo's ${tier} key as it is`, () => assert.ok(page.includes(`| ${tier} | \`${key}\` |`)));
}

it('the docs say what keys look like', () => {
  assert.ok(page.includes(`\`${KEY_PATTERN.source.replace(/^\^|\$$/g, '')}\``));
});
