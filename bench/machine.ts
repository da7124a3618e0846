// What a measurement was made on.

import { readFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { type CpuTicks, cpuTicks, stolenShare } from '../test/support/stolen-time.ts';
import { largestDisturbance } from './undisturbed.ts';

/** With `before`, the clocks of the cores when the measurement began, it says how much the host disturbed it. */
export function machine(before?: CpuTicks): string {
  const model = cpuModel();
  const memory = Math.round(totalmem() / 2 ** 30);
  const day = new Date().toISOString().slice(0, 10);
  return `Measured on ${day}: ${model}, ${cpus().length} cores, ${memory} GiB, ${process.platform} ${process.arch}, Node.js ${process.version}.${before === undefined ? '' : disturbance(before)}`;
}

function disturbance(before: CpuTicks): string {
  const repeatable = largestDisturbance();
  const stolen = repeatable ?? stolenShare(before, cpuTicks());
  const during = repeatable === null ? 'meanwhile' : 'during the most disturbed measurement';
  return stolen < 0.005 ? '' : ` The host gave ${(100 * stolen).toFixed(0)} % of the cores to others ${during}.`;
}

/** Linux leaves the model out of /proc/cpuinfo on some ARM machines and gives numbers instead. */
function cpuModel(): string {
  const name = cpus()[0]?.model ?? '';
  if (name !== '' && name !== 'unknown') return name;
  const info = readFileSync('/proc/cpuinfo', 'utf8');
  const part = /^CPU part\s*:\s*(\S+)/m.exec(info)?.[1] ?? 'unknown part';
  return part === '0xd0c' ? 'ARM Neoverse-N1' : `ARM CPU ${part}`;
}

export function packageVersion(name: string): string {
  const file = new URL(`../node_modules/${name}/package.json`, import.meta.url);
  const { version } = JSON.parse(readFileSync(file, 'utf8')) as { version: string }; // every package has one
  return version;
}
