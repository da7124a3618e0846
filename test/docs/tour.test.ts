// The tour of the code names files that exist, and each is connected with another one of the same walk.

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { importsOf } from '../structure/imports.ts';

const root = join(import.meta.dirname, '../..');
const text = readFileSync(join(root, 'docs/tour.md'), 'utf8');
const filesIn = (part: string) => [...new Set([...part.matchAll(/`(src\/[\w/.-]+\.ts)`/g)].map(match => match[1]!))];

describe('the tour', () => {
  for (const file of filesIn(text)) {
    it(`names ${file}, which exists`, () => assert.ok(existsSync(join(root, file))));
  }

  for (const title of ['One close', 'One request']) {
    const files = filesIn(text.split(`## ${title}\n`)[1]!.split('\n## ')[0]!);
    const imports = new Map(files.map(file => [file, importsOf(file, readFileSync(join(root, file), 'utf8'))]));

    it(`follows ${title.toLowerCase()} through files that import one another, directly or through one file`, () => {
      assert.ok(files.length >= 15);
      for (const file of files) {
        const beside = files.filter(
          other => other !== file && (reaches(imports, file, other) || reaches(imports, other, file)),
        );
        assert.notEqual(beside.length, 0, `${file} is connected with no other file of the walk`);
      }
    });
  }
});

function reaches(imports: ReadonlyMap<string, readonly string[]>, from: string, to: string): boolean {
  const direct = imports.get(from)!;
  return direct.includes(to) || direct.some(middle => middle.endsWith('.ts') && importsFrom(middle).includes(to));
}

const read = new Map<string, readonly string[]>();

function importsFrom(file: string): readonly string[] {
  let found = read.get(file);
  if (found === undefined) {
    found = existsSync(join(root, file)) ? importsOf(file, readFileSync(join(root, file), 'utf8')) : [];
    read.set(file, found);
  }
  return found;
}
