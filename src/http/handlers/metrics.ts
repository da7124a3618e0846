// SharedMetrics of what the handlers know: the use of the keys, the snapshot that is served, and how fit the service is.

import type { KeyRing } from '../../access/key-ring.ts';
import type { SharedLimits } from '../../access/shared-limits.ts';
import type { MetricText } from '../../observe/metric-text.ts';
import type { Snapshot, Table } from '../../snapshot/table.ts';
import { NOT_READY, type Readiness } from './readiness.ts';

/** By the key's public id. */
export function writeKeyUse(text: MetricText, ring: KeyRing, limits: SharedLimits): void {
  for (const { id, tier, slot } of ring.all()) {
    if (slot < 0) continue;
    const { accepted, refused } = limits.use(slot);
    text.add('tidemark_key_requests_today', { key: id, tier: tier.name, outcome: 'accepted' }, accepted);
    text.add('tidemark_key_requests_today', { key: id, tier: tier.name, outcome: 'refused' }, refused);
  }
}

export function writeReadiness(text: MetricText, { status }: Readiness): void {
  for (const each of ['ready', ...NOT_READY]) text.add('tidemark_readiness', { status: each }, each === status ? 1 : 0);
}

export function writeSnapshot(text: MetricText, { version, builtAt, tables }: Snapshot): void {
  text.add('tidemark_snapshot_version', {}, version);
  text.add('tidemark_snapshot_built_timestamp_seconds', {}, builtAt / 1000);
  for (const { dataset, rows } of Object.values(tables)) {
    text.add('tidemark_snapshot_rows', { dataset: dataset.name }, rows);
  }
  const newest = newestDay(tables['ta-cur']);
  if (newest !== null) text.add('tidemark_snapshot_newest_close_timestamp_seconds', {}, newest * 86_400);
}

function newestDay({ columns }: Table): number | null {
  const days = columns.find(column => column.kind === 'day');
  if (days === undefined || days.values.length === 0) return null;
  return days.values.reduce((newest, day) => Math.max(newest, day));
}
