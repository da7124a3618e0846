import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { RULE_NAMES } from '../../src/domain/finding.ts';
import { RULE_SETTINGS } from '../../src/quality/settings.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/explanation/findings.md'), 'utf8');

describe('the page about findings', () => {
  for (const name of RULE_NAMES) {
    it(`defines the rule ${name} in a row and explains it in a paragraph`, () => {
      assert.match(page, new RegExp(`^\\| \`${name}\` \\|`, 'm'));
      assert.match(page, new RegExp(`^\\*\\*.*\`${name}\``, 'm'));
    });
  }

  for (const [name, { default: value, unit, doc }] of Object.entries(RULE_SETTINGS)) {
    it(`has the setting ${name} as the code has it`, () => {
      assert.ok(page.includes(`\n| \`${name}\` | ${value} | ${unit} | ${doc} |\n`));
    });
  }
});
