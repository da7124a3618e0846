// Each kernel is a file, an entry of the index, and has golden cases for all that it writes.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { kernelFile, kernelIndex } from '../../../scripts/kernel-index.ts';
import { INDICATORS, OPTIONAL_COMPUTED } from '../../../src/domain/catalogue.ts';
import { KERNEL_FACTS } from '../../../src/domain/kernels.ts';
import { KERNELS } from '../../../src/indicators/kernels/index.ts';
import { BY_HAND } from './by-hand.ts';
import { OPTIONAL_BY_HAND } from './optional-by-hand.ts';

const folder = join(import.meta.dirname, '../../../src/indicators/kernels');

interface Case {
  readonly expected: Readonly<Record<string, number | null>>;
}

const written = ['cases.json', 'optional-cases.json'].flatMap(
  file => JSON.parse(readFileSync(join(import.meta.dirname, file), 'utf8')) as Case[], // by write.ts
);
const cases: readonly Case[] = [...BY_HAND, ...OPTIONAL_BY_HAND, ...written];

describe('the index of the kernels', () => {
  it('is what the catalogue gives: run `npm run docs`', () => {
    assert.equal(readFileSync(join(folder, 'index.ts'), 'utf8'), kernelIndex());
  });

  it('has every file of their folder', () => {
    const files = readdirSync(folder).filter(file => file !== 'index.ts' && !file.endsWith('.test.ts'));
    assert.deepEqual(files.sort(), Object.keys(KERNELS).map(kernelFile).sort());
  });
});

describe('every kernel', () => {
  for (const [name, { outputs }] of Object.entries(KERNEL_FACTS)) {
    // What a settings file defines is judged by src/indicators/own.
    if (name === 'own') continue;
    for (const output of outputs) {
      it(`${name} has a golden case of its output ${output}`, () => {
        const columns = [...INDICATORS, ...OPTIONAL_COMPUTED].filter(
          column => column.kernel === name && column.output === output,
        );
        assert.ok(columns.length > 0, 'no column of the catalogue has it');
        for (const column of columns) {
          assert.ok(
            cases.some(({ expected }) => (expected[column.name] ?? 0) !== 0),
            column.name,
          );
        }
      });
    }
  }
});
