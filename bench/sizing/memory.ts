// The memory that a server holds at a moment.

import { readFileSync } from 'node:fs';
import type { ServerProcess } from '../../test/support/server-process.ts';

export function memoryOf({ pid }: ServerProcess): number {
  const kilobytes = /^VmRSS:\s*(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes) * 1024;
}
