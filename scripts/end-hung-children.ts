// Ends child processes that have run for too long. The test runner's own time limit asks a process to end, and one that loops never hears it.

import { spawnSync } from 'node:child_process';

/** The direct children of this process that are at least this old. */
export function endHungChildren(seconds: number): void {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid=,etime='], { encoding: 'utf8' });
  for (const line of stdout?.split('\n') ?? []) {
    const [pid, parent, elapsed] = line.trim().split(/\s+/);
    if (Number(parent) !== process.pid || elapsed === undefined || secondsOf(elapsed) < seconds) continue;
    try {
      process.kill(Number(pid), 'SIGKILL');
    } catch {
      // It has just ended.
    }
  }
}

/** `[[DAYS-]HOURS:]MINUTES:SECONDS`. */
function secondsOf(elapsed: string): number {
  const [, days = '0', clock = ''] = /^(?:(\d+)-)?([\d:]+)$/.exec(elapsed) ?? [];
  const ofDay = clock.split(':').reduce((sum, part) => 60 * sum + Number(part), 0);
  return 86_400 * Number(days) + ofDay;
}
