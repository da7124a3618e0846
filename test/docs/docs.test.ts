import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, it } from 'node:test';
import { documentationPages, GENERATED, withGeneratedParts } from '../../scripts/docs.ts';
import { SETTINGS } from '../../src/config.ts';
import { ASSET_COLUMNS, COLUMNS, OPTIONAL_COLUMNS } from '../../src/domain/catalogue.ts';

const root = join(import.meta.dirname, '../..');
const pages = documentationPages().map(file => ({
  name: relative(root, file),
  file,
  text: readFileSync(file, 'utf8'),
}));
const everything = pages.map(page => page.text).join('\n');

describe('the docs', () => {
  for (const { name, file, text } of pages) {
    it(`${name} is what the code says (npm run docs writes it)`, () => {
      assert.equal(text, withGeneratedParts(text));
    });

    it(`${name} links only to what exists`, () => {
      const targets = [...text.matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)].map(match => match[1] ?? '');
      for (const target of targets) assert.ok(existsSync(join(dirname(file), target)), `${target} is missing`);
    });
  }

  it('contain every part that can be generated', () => {
    for (const name of Object.keys(GENERATED)) assert.ok(everything.includes(`<!-- generated:${name} -->`), name);
  });

  for (const { name } of [...COLUMNS, ...OPTIONAL_COLUMNS, ...ASSET_COLUMNS]) {
    it(`have a line for the column ${name}`, () => assert.ok(everything.includes(`| \`${name}\` |`)));
  }

  for (const name of Object.keys(SETTINGS)) {
    it(`have a line for the setting ${name}`, () => assert.ok(everything.includes(`| \`--${name}\` |`)));
  }
});
