// The source of profile records in files: JSON or NDJSON, packed or not, folders and standard input.

import { isObject } from '../field-reader.ts';
import { findInputs, readInput, totalSize } from '../inputs.ts';
import type { Source, SourceItem } from '../source.ts';
import { coinGeckoAnswer } from './coingecko.ts';
import { jsonRecords } from './json-records.ts';
import { parseProfile } from './parse-profile.ts';

const ENDINGS = ['.json', '.ndjson', '.jsonl'];
/** Enough for a smooth display, few enough to cost nothing. */
const RECORDS_PER_PROGRESS = 500;

export function profilesSource(paths: readonly string[]): Source {
  return {
    name: 'profiles',
    check: async () => void (await findInputs(paths, ENDINGS)),
    profiles: signal => profilesIn(paths, signal),
    async *bars() {},
  };
}

async function* profilesIn(paths: readonly string[], signal: AbortSignal): AsyncGenerator<SourceItem, void, undefined> {
  const inputs = await findInputs(paths, ENDINGS);
  const total = totalSize(inputs);
  let done = 0;
  let records = 0;
  for (const input of inputs) {
    const chunks = readInput(input, signal, bytes => {
      done += bytes;
    });
    for await (const record of jsonRecords(chunks)) {
      const where = `${input.name}:${record.at}`;
      if ('value' in record) yield fileItem(where, record.value);
      else yield { kind: 'reject', reject: { where, reason: record.reason, detail: record.detail } };
      if (++records % RECORDS_PER_PROGRESS === 0) yield { kind: 'progress', done, total, unit: 'bytes' };
    }
    yield { kind: 'progress', done, total, unit: 'bytes' };
  }
}

/** A record of a file may also be CoinGecko's. */
function fileItem(where: string, value: unknown): SourceItem {
  const foreign = isObject(value) ? coinGeckoAnswer(value) : null;
  if (foreign === null) return profileItem(where, value);
  if (foreign.kind === 'profile') return profileItem(where, foreign.profile);
  return { kind: 'reject', reject: { where, reason: 'bad_profile', detail: foreign.problem } };
}

/** A profile, or its refusal with everything that is wrong with it. */
export function profileItem(where: string, value: unknown): SourceItem {
  const parsed = parseProfile(value);
  if ('ok' in parsed) return { kind: 'profile', where, sourced: parsed.ok };
  return { kind: 'reject', reject: { where, reason: 'bad_profile', detail: shorten(parsed.problems) } };
}

const SHOWN_PROBLEMS = 5;

function shorten(problems: readonly string[]): string {
  const more = problems.length - SHOWN_PROBLEMS;
  const shown = problems.slice(0, SHOWN_PROBLEMS).join('; ');
  return more > 0 ? `${shown}; and ${more} more` : shown;
}
