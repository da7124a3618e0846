// Test files that share a process: loading the program takes most of the time of a small one, a server and a browser that of others.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';

/** A file that the test runner starts, and the test files that it runs one after the other. */
export interface TestGroup {
  readonly file: string;
  readonly members: readonly string[];
}

interface Kind {
  readonly name: string;
  /** Relative to the root of the project. */
  readonly paths: RegExp;
  readonly groups: number;
}

const KINDS: readonly Kind[] = [
  { name: 'http', paths: /^test\/http\//, groups: 2 },
  { name: 'browser', paths: /^test\/e2e\/browser\//, groups: 3 },
  { name: 'unit', paths: /^(?:src|client|web)\//, groups: 3 },
];

/**
 * Files that start processes or threads take long by themselves; those that wait, look at connections or memory, or replace parts of
 * Node could disturb others or be disturbed. A browser test that names the service that it starts shares none.
 */
const NEEDS_OWN_PROCESS =
  /server-process|support\/postgres|raw-client|event-client|node:(?:child_process|worker_threads|net|timers)|setTimeout|\bmock\b|globalThis|process\.(?:env|memoryUsage)|Site\.start\([^)]/;

const root = join(import.meta.dirname, '..');

/** Puts the files of each kind that can share a process into groups; each of the others is alone. */
export function groupsOf(files: readonly string[]): TestGroup[] {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-groups-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const byKind = Map.groupBy(files, file =>
    NEEDS_OWN_PROCESS.test(readFileSync(file, 'utf8'))
      ? undefined
      : KINDS.find(({ paths }) => paths.test(relative(root, file))),
  );
  return [...byKind].flatMap(([kind, sharing]) =>
    kind === undefined || sharing.length <= kind.groups
      ? sharing.map(file => ({ file, members: [file] }))
      : groupsOfKind(kind, sharing, folder),
  );
}

function groupsOfKind({ name, groups }: Kind, sharing: readonly string[], folder: string): TestGroup[] {
  return Array.from({ length: groups }, (_, i) => {
    const members = sharing.filter((_, at) => at % groups === i);
    const file = join(folder, `${name}-${i + 1}.mjs`);
    writeFileSync(file, members.map(member => `import '${pathToFileURL(member)}';\n`).join(''));
    return { file, members };
  });
}
