import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { it } from 'node:test';

const SCRIPT = `
import { readdirSync, readFileSync } from 'node:fs';
const { lowerPriority, lowerThreadPriority } = await import(${JSON.stringify(new URL('./lower-priority.ts', import.meta.url).href)});
CALL();
// The nineteenth field, counted from behind the name, which may contain spaces.
const nice = task => Number(readFileSync(\`/proc/self/task/\${task}/stat\`, 'utf8').split(') ').at(-1).split(' ')[16]);
const own = String(process.pid);
console.log(JSON.stringify({ own: nice(own), others: readdirSync('/proc/self/task').filter(task => task !== own).map(nice) }));
`;

/** The priorities of the threads of a process that calls the function. */
function prioritiesAfter(call: string): { own: number; others: number[] } {
  const script = SCRIPT.replace('CALL();', `${call}();`);
  const args = ['--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', script];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }));
}

const skip = process.platform === 'linux' ? false : 'only Linux has priorities of threads';

it('a process lowers the priority of all of its threads', { skip }, () => {
  const { own, others } = prioritiesAfter('lowerPriority');
  assert.ok(own >= 10);
  assert.ok(others.length > 0);
  assert.ok(others.every(nice => nice >= 10));
});

it('a thread lowers its own priority alone', { skip }, () => {
  const before = prioritiesAfter('(() => {})');
  const { own, others } = prioritiesAfter('lowerThreadPriority');
  assert.ok(own >= 10);
  assert.deepEqual(new Set(others), new Set(before.others));
});
