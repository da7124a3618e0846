// The commit that a report is made at.

import { execFileSync } from 'node:child_process';

/** As Markdown. */
export function commitOf(): string {
  const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8', cwd: import.meta.dirname }).trim();
  const isChanged = git('status', '--porcelain', '--untracked-files=no') !== '';
  return `\`${git('rev-parse', '--short=12', 'HEAD')}\`${isChanged ? ' with uncommitted changes' : ''}`;
}
