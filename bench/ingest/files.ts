// Writes the CSV files that the ingest benchmark loads, and measures the time and memory of a process.

import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { type Day, isoFromDay } from '../../src/domain/day.ts';

/** The first day of the files, in days since 1970-01-01. */
export const FIRST_DAY = 19_000;

/** `symbol,day,close`, sorted by asset, then by day; with `numbers`, assets and days as whole numbers. */
export function writeCloses(path: string, assets: number, days: number, firstDay = 0, numbers = false): number {
  const file = openSync(path, 'w');
  writeSync(file, 'symbol,day,close\n');
  const dayText = (day: number) => (numbers ? String(day) : isoFromDay(day as Day));
  const dayTexts = Array.from({ length: days }, (_, day) => dayText(FIRST_DAY + firstDay + day));
  let state = 7;
  for (let asset = 0; asset < assets; asset++) {
    const base = 1 + (asset % 1000);
    // Stays near the base, so that a file of later days goes on where this one ends: a jump would be a doubt, which takes time of its own.
    let distance = 0;
    let text = '';
    for (const day of dayTexts) {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      distance = 0.95 * distance + 0.06 * (state / 2 ** 32 - 0.5);
      text += `${numbers ? '' : 'S'}${asset},${day},${(base * Math.exp(distance)).toPrecision(8)}\n`;
    }
    writeSync(file, text);
  }
  closeSync(file);
  return assets * days;
}

export interface Measured {
  readonly millis: number;
  /** The most memory that the process itself held at a time. */
  readonly peakBytes: number;
}

/** Runs a process to its end; fails when it does. */
export function measured(command: string, args: readonly string[], input = ''): Promise<Measured> {
  const began = performance.now();
  const child = spawn(command, args, { stdio: ['pipe', 'ignore', 'pipe'] });
  child.stdin.end(input);
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', text => {
    stderr += text;
  });
  let peakBytes = 0;
  const watch = setInterval(() => {
    peakBytes = Math.max(peakBytes, peakOf(child.pid));
  }, 50);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', code => {
      clearInterval(watch);
      if (code === 0) resolve({ millis: performance.now() - began, peakBytes });
      else reject(new Error(`${command} ended with ${code}: ${stderr}`));
    });
  });
}

function peakOf(pid: number | undefined): number {
  try {
    const kilobytes = /^VmHWM:\s*(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return Number(kilobytes ?? 0) * 1024;
  } catch {
    return 0; // it has just ended
  }
}
