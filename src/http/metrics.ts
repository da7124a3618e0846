// Figures for Prometheus, in its text format.

import { Gauge, Registry } from 'prom-client';
import type { KeyRing } from './access/key-ring.ts';
import type { SharedLimits } from './access/shared-limits.ts';

export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** Requests of each key on its last day of use; by the key's public id. */
export async function usageMetrics(ring: KeyRing, limits: SharedLimits): Promise<string> {
  const registry = new Registry();
  const requests = new Gauge({
    name: 'tidemark_key_requests_today',
    help: 'Requests of a key on the current UTC day, by outcome',
    labelNames: ['key', 'tier', 'outcome'],
    registers: [registry],
  });
  for (const { id, tier, slot } of ring.all()) {
    const { accepted, refused } = limits.use(slot);
    requests.set({ key: id, tier: tier.name, outcome: 'accepted' }, accepted);
    requests.set({ key: id, tier: tier.name, outcome: 'refused' }, refused);
  }
  return registry.metrics();
}
