// What the host of a virtual machine leaves it of its cores: who measures times must know.

import { readFileSync } from 'node:fs';

/** The time of all cores since the machine started, in ticks, and the part of it that the host gave to others. */
export interface CpuTicks {
  readonly all: number;
  readonly stolen: number;
}

/** Zeros where the system has no `/proc/stat`. */
export function cpuTicks(): CpuTicks {
  const [line = ''] = procStat().split('\n', 1);
  // user, nice, system, idle, iowait, irq, softirq, steal: see proc(5).
  const ticks = line.split(/\s+/).slice(1, 9).map(Number);
  return { all: ticks.reduce((sum, each) => sum + each, 0), stolen: ticks[7] ?? 0 };
}

function procStat(): string {
  try {
    return readFileSync('/proc/stat', 'utf8');
  } catch {
    return '';
  }
}

export function stolenShare(before: CpuTicks, after: CpuTicks): number {
  return (after.stolen - before.stolen) / Math.max(1, after.all - before.all);
}
