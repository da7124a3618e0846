// The flags of `tidemark keys create`, and their validation.

import { nearest } from '../common/nearest.ts';
import { KEY_PREFIX } from '../domain/api-key.ts';
import { type Day, dayFromIso, isoFromDay } from '../domain/day.ts';
import { TIERS } from '../domain/tiers.ts';
import { type Command, UsageError } from './command.ts';

export const KEY_OPTIONS: Command['options'] = {
  tier: {
    placeholder: 'TIER',
    doc: `create: the tier, which sets rows per page, rate and quota: ${Object.keys(TIERS).join(', ')}`,
  },
  name: { placeholder: 'TEXT', doc: 'create: the owner or the purpose; shown by list' },
  expires: {
    placeholder: 'DAY',
    doc: 'create: the last UTC day on which the API key is valid, such as 2030-12-31 (default: no end)',
  },
};

/** Keeps a line of `keys list` on one line. */
const NAME_LENGTH = 100;

export function tierOf(value: unknown, known: readonly string[]): string {
  if (typeof value !== 'string') throw new UsageError(`keys create needs --tier: ${known.join(', ')}`);
  if (known.includes(value)) return value;
  const meant = nearest(value, known);
  throw new UsageError(
    `--tier: unknown tier ${JSON.stringify(value)}${meant === null ? '' : `; did you mean '${meant}'?`}\n` +
      `Tiers: ${known.join(', ')}.`,
  );
}

export function nameOf(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const name = value.trim();
  if (name.includes(KEY_PREFIX))
    throw new UsageError('--name: names are stored and shown, so they must not contain an API key');
  if (name === '' || name.length > NAME_LENGTH || /\p{Cc}/u.test(name)) {
    throw new UsageError(`--name: expected one line of 1 to ${NAME_LENGTH} characters, got ${JSON.stringify(value)}`);
  }
  return name;
}

export function lastDayOf(value: unknown, today: Day): Day | null {
  if (typeof value !== 'string') return null;
  const day = dayFromIso(value.trim());
  const got = JSON.stringify(value);
  if (day === null) throw new UsageError(`--expires: expected a day such as ${isoFromDay(today)}, got ${got}`);
  if (day < today)
    throw new UsageError(`--expires: ${got} is in the past; expected today (${isoFromDay(today)}) or later`);
  return day;
}
