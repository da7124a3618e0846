// The text of `/metrics` for the whole process. Any thread can write it, because the numbers are in shared memory.

import { readdir } from 'node:fs/promises';
import type { KeyRing } from '../access/key-ring.ts';
import type { SharedLimits } from '../access/shared-limits.ts';
import type { Readiness } from '../api/readiness.ts';
import { MetricText } from '../observe/metric-text.ts';
import type { SharedMetrics } from '../observe/shared-metrics.ts';
import { writeSharedMetrics } from '../observe/write-metrics.ts';
import type { Snapshot } from '../snapshot/table.ts';
import type { SourceLoads } from './load-watch.ts';
import { writeKeyUse, writeReadiness, writeSnapshot } from './service-metrics.ts';

export interface MetricsParts {
  readonly version: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly metrics: SharedMetrics;
  readonly ring: KeyRing;
  readonly limits: SharedLimits;
  readonly readiness: Readiness;
  /** Milliseconds since 1970; 0: never. */
  readonly confirmedAt: number;
  /** Milliseconds since 1970; null without live prices. */
  readonly newestTick: number | null;
  readonly snapshot: Snapshot | null;
  readonly loads: readonly SourceLoads[];
}

export async function metricsText(parts: MetricsParts): Promise<string> {
  const text = new MetricText();
  text.add('tidemark_build_info', { version: parts.version, node: process.versions.node }, 1);
  await writeProcess(text, parts.startedAt);
  writeSharedMetrics(text, parts.metrics);
  writeKeyUse(text, parts.ring, parts.limits);
  writeReadiness(text, parts.readiness);
  if (parts.confirmedAt > 0) text.add('tidemark_data_confirmed_timestamp_seconds', {}, parts.confirmedAt / 1000);
  if (parts.newestTick !== null) text.add('tidemark_live_newest_tick_timestamp_seconds', {}, parts.newestTick / 1000);
  if (parts.snapshot !== null) writeSnapshot(text, parts.snapshot);
  for (const loads of parts.loads) writeLoads(text, loads);
  return text.toString();
}

async function writeProcess(text: MetricText, startedAt: number): Promise<void> {
  text.add('process_start_time_seconds', {}, startedAt / 1000);
  const { user, system } = process.cpuUsage();
  text.add('process_cpu_seconds_total', {}, (user + system) / 1e6);
  text.add('process_resident_memory_bytes', {}, process.memoryUsage.rss());
  // Only Linux has this folder.
  const open = await readdir('/proc/self/fd').catch(() => null);
  if (open !== null) text.add('process_open_fds', {}, open.length);
}

function writeLoads(text: MetricText, { source, ended, rejected, last }: SourceLoads): void {
  for (const [state, count] of Object.entries(ended)) text.add('tidemark_loads_total', { source, state }, count);
  text.add('tidemark_load_rejected_rows_total', { source }, rejected);
  text.add('tidemark_last_load_start_timestamp_seconds', { source }, Date.parse(last.startedAt) / 1000);
  for (const state of ['running', 'done', 'failed', 'stopped', 'undone']) {
    text.add('tidemark_last_load_state', { source, state }, state === last.state ? 1 : 0);
  }
  for (const outcome of ['read', 'inserted', 'replaced', 'unchanged', 'rejected'] as const) {
    text.add('tidemark_last_load_rows', { source, outcome }, last[outcome]);
  }
}
