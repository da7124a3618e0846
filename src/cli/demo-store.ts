// The store of the demo: the simulated market up to today, and the two public demo keys.

import { DEMO_KEYS, hashOf } from '../domain/api-key.ts';
import { dayOfMillis } from '../domain/day.ts';
import { DEMO_BENCHMARK, demoSource } from '../ingest/demo/demo-source.ts';
import type { LoadProgress } from '../ingest/load-record.ts';
import { StoreBusyError } from '../ingest/only-writer.ts';
import { load } from '../ingest/pipeline.ts';
import type { Store } from '../store/store.ts';
import type { Output } from './command.ts';
import { ProgressLine } from './progress.ts';

/** Extends the simulated market up to today and creates the two public demo keys. Without an output, it prints no progress. */
export async function prepareDemo(store: Store, output: Output | null): Promise<void> {
  const known = new Set((await store.keys()).map(key => key.id));
  for (const [tier, key] of Object.entries(DEMO_KEYS)) {
    const id = `key_demo_${tier}`;
    if (!known.has(id)) await store.createKey({ id, hash: hashOf(key), tier, name: `demo ${tier}`, expires: null });
  }
  const today = dayOfMillis(Date.now());
  if (today === null || (await store.totals()).lastDay === today) return;
  using progress = output && new ProgressLine(output);
  try {
    const signal = new AbortController().signal;
    const onProgress = (at: LoadProgress) => progress?.update(at);
    // Days only, so that the server starts soon: the scheduled load, of another name and thus due, brings hours and minutes.
    const source = demoSource({ today });
    await load({ store, source, label: 'demo days', benchmark: DEMO_BENCHMARK, today, signal, onProgress });
  } catch (error) {
    // Another demo server is loading the same store.
    if (!(error instanceof StoreBusyError)) throw error;
  }
}
