// Metrics of the handlers: use of API keys, the snapshot that is served, and readiness.

import type { KeyRing } from '../access/key-ring.ts';
import type { SharedLimits } from '../access/shared-limits.ts';
import { NOT_READY, type Readiness } from '../api/readiness.ts';
import { MILLIS_PER_DAY } from '../domain/day.ts';
import type { MetricText } from '../observe/metric-text.ts';
import { columnOf, type Snapshot, type Table } from '../snapshot/table.ts';

/** API keys that have metrics of their own; a scrape must stay small however many there are. */
export const MAX_KEYS_LISTED = 500;
/** Stands for all further API keys of a tier; the ids of API keys begin with `key_`. */
const OTHER_KEYS = 'other';

/** By the public id of the API key. The first ones have their own, so that a metric never comes and goes. */
export function writeKeyUse(
  text: MetricText,
  ring: Pick<KeyRing, 'all'>,
  limits: Pick<SharedLimits, 'use'>,
  maxListed: number = MAX_KEYS_LISTED,
): void {
  const add = (key: string, tier: string, { accepted, refused }: { accepted: number; refused: number }) => {
    text.add('tidemark_key_requests_today', { key, tier, outcome: 'accepted' }, accepted);
    text.add('tidemark_key_requests_today', { key, tier, outcome: 'refused' }, refused);
  };
  const others = new Map<string, { accepted: number; refused: number }>();
  let listed = 0;
  for (const { id, tier, slot } of ring.all()) {
    if (slot < 0) continue;
    const use = limits.use(slot);
    if (listed++ < maxListed) add(id, tier.name, use);
    else {
      const sum = others.get(tier.name) ?? { accepted: 0, refused: 0 };
      others.set(tier.name, { accepted: sum.accepted + use.accepted, refused: sum.refused + use.refused });
    }
  }
  for (const [tier, use] of others) add(OTHER_KEYS, tier, use);
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
  for (const days of ['30', '365'])
    text.add('tidemark_findings_open', { days }, sumOf(tables['ta-cur'], `findings${days}`));
  const newest = newestDay(tables['ta-cur']);
  if (newest !== null)
    text.add('tidemark_snapshot_newest_close_timestamp_seconds', {}, (newest * MILLIS_PER_DAY) / 1000);
}

function sumOf(listing: Table, name: string): number {
  return columnOf(listing, name, 'number').values.reduce((sum, each) => sum + (Number.isNaN(each) ? 0 : each), 0);
}

function newestDay({ columns }: Table): number | null {
  const days = columns.find(column => column.kind === 'day');
  if (days === undefined || days.values.length === 0) return null;
  return days.values.reduce((newest, day) => Math.max(newest, day));
}
