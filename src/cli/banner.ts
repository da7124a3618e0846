// The text that `tidemark serve` prints when it is ready.

import { userName } from '../common/file-fault.ts';
import type { Config } from '../config.ts';
import { DEMO_KEYS } from '../domain/api-key.ts';
import { storeFlag } from './program.ts';
import { count, counted, styled } from './terminal.ts';

export interface ServingFacts {
  readonly address: string;
  readonly store: string;
  /** Whether the store could not be used at the start. */
  readonly away: boolean;
  /** Whether there is none yet. */
  readonly missing: boolean;
  /** Whether nothing can be written to it. */
  readonly readOnly: boolean;
  readonly rows: number;
  /** Assets with prices that the listing leaves out. */
  readonly inactive: number;
  /** API keys that can be used now. */
  readonly keys: number;
  readonly threads: number;
  readonly config: Config;
}

export function banner(facts: ServingFacts): string {
  const { address, store, away, missing, readOnly, threads, config } = facts;
  const { demo, group, open } = config;
  const listing = `${address}/v1/${group}/ta-cur`;
  const on = threads === 1 ? '' : `, on ${threads} threads`;
  const lines = [`${styled('bold', 'Tidemark')} serves ${whatIsServed(facts)}${on}`];
  const trouble = missing
    ? `There is no store ${store}. The server uses it as soon as a load creates it.`
    : `The store ${store} is unreachable. The server tries again until it is back.`;
  if (away || missing) lines.push(styled('yellow', trouble));
  if (readOnly) {
    const effect = 'Requests are counted in memory only, and alerts do not run.';
    lines.push(styled('yellow', `READ-ONLY: ${userName()} may not write to the store. ${effect}`));
  }
  if (demo) lines.push(styled('yellow', 'DEMO: the assets are invented and the prices are simulated.'));
  if (open) lines.push(styled('yellow', 'OPEN: requests need no API key and have no limits.'));
  lines.push(
    '',
    `  explorer   ${address}/`,
    `  listing    ${listing}`,
    `  assets     ${address}/v1/${group}/assets`,
    `  reference  ${address}/docs`,
  );
  if (demo) lines.push(`  keys       ${DEMO_KEYS.free} (free)`, `             ${DEMO_KEYS.pro} (pro)`);
  lines.push('', ...invitation(facts, listing), '', 'Ctrl-C stops it.');
  return lines.join('\n');
}

/** Creates an API key in the store of the server. */
export function keyCommand({ store }: Pick<Config, 'store'>): string {
  return `tidemark keys create --tier pro --name me${storeFlag(store)}`;
}

function whatIsServed({ store, away, missing, rows, inactive, config }: ServingFacts): string {
  const left =
    inactive > 0
      ? ` (and leaves out ${count(inactive)} inactive, see 'tidemark status${storeFlag(config.store)}')`
      : '';
  const assets = `${counted(rows, 'asset')}${left}`;
  if (rows + inactive > 0) return away ? `${assets} from its own copy of the store` : `${assets} from ${store}`;
  if (away || missing) return 'nothing yet';
  return `${store}, which is empty ${config.schedule === '' ? "(see 'tidemark help ingest')" : 'until the first scheduled load ends'}`;
}

function invitation({ address, away, missing, rows, keys, config }: ServingFacts, listing: string): string[] {
  const request = `${listing}?limit=5&sort=vol30&price=1:`;
  if (missing && rows === 0) {
    const load = `  tidemark ingest csv FILE${storeFlag(config.store)}`;
    return ['Load a file, or try it with invented data:', load, '  tidemark serve --demo'];
  }
  if (away && rows === 0) return [`There is no data until the store is back. Its state: ${address}/readyz`];
  if (config.open) return ['Try:', `  curl '${request}'`];
  if (config.demo) return ['Try:', `  curl -H 'X-API-Key: ${DEMO_KEYS.pro}' '${request}'`];
  if (keys === 0) {
    const when = away ? 'When the store is back, create one:' : 'Create one:';
    return [`Requests need an API key, and there is none yet. ${when}`, `  ${keyCommand(config)}`];
  }
  return ['Try:', `  curl -H 'X-API-Key: KEY' '${request}'`];
}
