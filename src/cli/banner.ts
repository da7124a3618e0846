// What `tidemark serve` says when it is ready.

import type { Config } from '../config.ts';
import { DEMO_KEYS } from '../domain/api-key.ts';
import { count, styled } from './terminal.ts';

export interface ServingFacts {
  readonly address: string;
  readonly store: string;
  readonly rows: number;
  /** Keys that can be used now. */
  readonly keys: number;
  readonly threads: number;
  readonly config: Config;
}

export function banner({ address, store, rows, keys, threads, config }: ServingFacts): string {
  const { demo, group, open } = config;
  const state =
    rows > 0 ? `${count(rows)} assets from ${store}` : `${store}, which is empty: see 'tidemark help ingest'`;
  const listing = `${address}/v1/${group}/ta-cur`;
  const on = threads === 1 ? '' : `, on ${threads} threads`;
  const lines = [`${styled('bold', 'Tidemark')} serves ${state}${on}`];
  if (demo) lines.push(styled('yellow', 'DEMO: the assets are invented and the prices are simulated.'));
  if (open)
    lines.push(styled('yellow', 'OPEN: everybody who reaches this address can ask, without a key and without limits.'));
  lines.push(
    '',
    `  explorer   ${address}/`,
    `  listing    ${listing}`,
    `  assets     ${address}/v1/${group}/assets`,
    `  reference  ${address}/docs`,
  );
  if (demo) lines.push(`  keys       ${DEMO_KEYS.free} (free)`, `             ${DEMO_KEYS.pro} (pro)`);
  lines.push('', ...invitation({ listing, keys, demo, open }), '', 'Ctrl-C stops it.');
  return lines.join('\n');
}

function invitation(facts: { listing: string; keys: number; demo: boolean; open: boolean }): string[] {
  const request = `${facts.listing}?limit=5&sort=vol30&price=1:`;
  if (facts.open) return ['Try:', `  curl '${request}'`];
  if (facts.demo) return ['Try:', `  curl -H 'X-API-Key: ${DEMO_KEYS.pro}' '${request}'`];
  if (facts.keys === 0) return ['Nobody can ask yet. Make a key:', "  tidemark keys create --tier pro --name 'me'"];
  return ['Try:', `  curl -H 'X-API-Key: KEY' '${request}'`];
}
