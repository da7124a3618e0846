// `tidemark keys`: creates, lists and revokes API keys.

import { nearest } from '../common/nearest.ts';
import { hashOf, KEY_PREFIX, keyState, newApiKey, newKeyId } from '../domain/api-key.ts';
import { type Day, dayFromIso, isoFromDay } from '../domain/day.ts';
import { resolveTiers, TIERS } from '../domain/tiers.ts';
import type { KeyUse, StoredKey } from '../store/store.ts';
import { type Action, runAction, withStore } from './actions.ts';
import { keyCommand } from './banner.ts';
import { type Command, CommandError, type Invocation, UsageError } from './command.ts';
import { isoOrNull, today } from './days.ts';
import { storeFlag } from './program.ts';
import { count, facts, table } from './terminal.ts';

const ACTIONS: Readonly<Record<string, Action>> = {
  create: {
    usage: 'create --tier TIER [--name TEXT] [--expires DAY]',
    options: ['tier', 'name', 'expires'],
    args: [0, 0],
    run: create,
  },
  list: { usage: 'list', options: [], args: [0, 0], run: list },
  revoke: { usage: 'revoke ID', options: [], args: [1, 1], run: revoke },
};

const KEY_OPTIONS: Command['options'] = {
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

export const keys: Command = {
  name: 'keys',
  summary: 'Create, list and revoke API keys',
  usage: Object.values(ACTIONS).map(action => action.usage),
  maxArgs: Number.POSITIVE_INFINITY,
  settings: ['store', 'tiers'],
  options: KEY_OPTIONS,
  about: `
create   creates an API key and prints it once; the store keeps only its hash
list     shows every API key with its state, its last use and today's requests, never the API key itself
revoke   revokes an API key permanently, by its id

Changes reach running servers of the same store within 2 s. For the demo, add --store sqlite:data/demo.db.`,
  run: invocation => runAction(keys, ACTIONS, invocation),
};

async function create({ config, options, output }: Invocation): Promise<number> {
  const tier = tierOf(options['tier'], [...resolveTiers(config.tiers).keys()]);
  const name = nameOf(options['name']);
  const expires = lastDayOf(options['expires'], today());
  const key = newApiKey();
  const id = newKeyId();
  await withStore(config.store, true, store => store.createKey({ id, hash: hashOf(key), tier, name, expires }));
  if (output.json) {
    output.print(JSON.stringify({ id, key, tier, name, expires: isoOrNull(expires) }, null, 2));
    return 0;
  }
  output.print(
    facts([
      ['key', key],
      ['id', id],
      ['tier', tier],
      ...(name === null ? [] : [['name', name] as const]),
      ['expires', expires === null ? 'never' : `after ${isoFromDay(expires)} (UTC)`],
    ]),
  );
  output.say('Copy the API key now. It is not shown again: the store keeps only its hash.');
  return 0;
}

async function list({ config, output }: Invocation): Promise<number> {
  const day = today();
  const [stored, usage, lastUses] = await withStore(config.store, false, async store => [
    await store.keys(),
    await store.usage(day, day),
    await store.lastUses(),
  ]);
  const used = new Map(usage.map(use => [use.keyId, use]));
  const entries = stored.map(key => entryOf(key, day, used.get(key.id), lastUses.get(key.id)));
  if (output.json) output.print(JSON.stringify({ today: isoFromDay(day), keys: entries }, null, 2));
  else if (entries.length > 0) output.print(keyTable(entries));
  else output.print(`There are no API keys yet. Create one:\n  ${keyCommand(config)}`);
  return 0;
}

async function revoke({ config, args, output }: Invocation): Promise<number> {
  const id = args[0]!; // ACTIONS requires one argument
  return withStore(config.store, false, async store => {
    const stored = await store.keys();
    const key = stored.find(candidate => candidate.id === id);
    if (key === undefined) throw unknownKey(id, stored, config.store);
    const changed = await store.revokeKey(id);
    const label = key.name === null ? id : `${id} (${key.name})`;
    if (output.json) output.print(JSON.stringify({ id, tier: key.tier, name: key.name, state: 'revoked', changed }));
    else if (changed) output.print(`${label} is revoked. Running servers reject it within 2 s.`);
    else
      output.print(`${label} was already revoked${key.revokedAt === null ? '' : `, at ${minute(key.revokedAt)} UTC`}.`);
    return 0;
  });
}

function unknownKey(id: string, stored: readonly StoredKey[], url: string): CommandError {
  if (id.includes(KEY_PREFIX)) return keyForItsId(id, stored);
  const meant = nearest(
    id,
    stored.map(key => key.id),
  );
  const list = `'tidemark keys list${storeFlag(url)}' shows all of them.`;
  return new CommandError(
    `there is no API key with the id ${JSON.stringify(id)}`,
    meant === null ? list : `Did you mean ${meant}? ${list}`,
  );
}

/** A person who has found a leaked API key knows the API key, not its id. */
function keyForItsId(key: string, stored: readonly StoredKey[]): CommandError {
  const hash = hashOf(key);
  const owner = stored.find(candidate => hash.equals(candidate.hash));
  return new CommandError(
    'this is an API key; revoke it by its id',
    owner === undefined ? 'This store does not have this API key.' : `Its id is ${owner.id}.`,
  );
}

type KeyEntry = ReturnType<typeof entryOf>;

/** `use` is the use on that day. */
function entryOf(key: StoredKey, day: Day, use: KeyUse | undefined, lastUsed: Day | undefined) {
  return {
    id: key.id,
    name: key.name,
    tier: key.tier,
    state: keyState(key, day),
    createdAt: key.createdAt,
    expires: isoOrNull(key.expires),
    revokedAt: key.revokedAt,
    lastUsed: isoOrNull(lastUsed ?? null),
    acceptedToday: use?.accepted ?? 0,
    refusedToday: use?.refused ?? 0,
  };
}

function keyTable(entries: readonly KeyEntry[]): string {
  return table(
    ['id', 'name', 'tier', 'created (UTC)', 'expires', 'state', 'last used', '>accepted today', '>refused today'],
    entries.map(entry => [
      entry.id,
      entry.name ?? '',
      entry.tier,
      minute(entry.createdAt),
      entry.expires ?? 'never',
      entry.state,
      entry.lastUsed ?? 'never',
      count(entry.acceptedToday),
      count(entry.refusedToday),
    ]),
  );
}

/** `2025-06-16 09:30`. */
function minute(iso: string): string {
  return iso.slice(0, 16).replace('T', ' ');
}

/** Keeps a line of `keys list` on one line. */
const NAME_LENGTH = 100;

function tierOf(value: unknown, known: readonly string[]): string {
  if (typeof value !== 'string') throw new UsageError(`keys create needs --tier: ${known.join(', ')}`);
  if (known.includes(value)) return value;
  const meant = nearest(value, known);
  throw new UsageError(
    `--tier: unknown tier ${JSON.stringify(value)}${meant === null ? '' : `; did you mean '${meant}'?`}\n` +
      `Tiers: ${known.join(', ')}.`,
  );
}

function nameOf(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const name = value.trim();
  if (name.includes(KEY_PREFIX))
    throw new UsageError('--name: names are stored and shown, so they must not contain an API key');
  if (name === '' || name.length > NAME_LENGTH || /\p{Cc}/u.test(name)) {
    throw new UsageError(`--name: expected one line of 1 to ${NAME_LENGTH} characters, got ${JSON.stringify(value)}`);
  }
  return name;
}

function lastDayOf(value: unknown, today: Day): Day | null {
  if (typeof value !== 'string') return null;
  const day = dayFromIso(value.trim());
  const got = JSON.stringify(value);
  if (day === null) throw new UsageError(`--expires: expected a day such as ${isoFromDay(today)}, got ${got}`);
  if (day < today)
    throw new UsageError(`--expires: ${got} is in the past; expected today (${isoFromDay(today)}) or later`);
  return day;
}
