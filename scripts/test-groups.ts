// Test files that share a process: loading the program takes most of the time of a small one.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** A file that the test runner starts, and the test files that it runs one after the other. */
export interface TestGroup {
  readonly file: string;
  readonly members: readonly string[];
}

/**
 * Files that start processes or threads take long by themselves; those that wait, look at connections or replace parts of Node could
 * disturb others or be disturbed.
 */
const NEEDS_OWN_PROCESS =
  /server-process|support\/postgres|raw-client|event-client|node:(?:child_process|worker_threads|net|timers)|setTimeout|\bmock\b/;
const GROUPS = 2;

/** Puts the test files of HTTP that run in their own process into groups; each of the others is alone. */
export function groupsOf(files: readonly string[]): TestGroup[] {
  const sharing = files.filter(
    file => file.includes('/test/http/') && !NEEDS_OWN_PROCESS.test(readFileSync(file, 'utf8')),
  );
  const alone = files.filter(file => !sharing.includes(file)).map(file => ({ file, members: [file] }));
  if (sharing.length <= GROUPS) return [...alone, ...sharing.map(file => ({ file, members: [file] }))];
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-groups-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const groups = Array.from({ length: GROUPS }, (_, i) => {
    const members = sharing.filter((_, at) => at % GROUPS === i);
    const file = join(folder, `http-${i + 1}.mjs`);
    writeFileSync(file, members.map(member => `import '${pathToFileURL(member)}';\n`).join(''));
    return { file, members };
  });
  return [...alone, ...groups];
}
