// The flags of `tidemark alerts`, and their validation.

import { isIP } from 'node:net';
import { isAllowedAddress } from '../alerts/allowed-address.ts';
import { parseAlertQuery } from '../alerts/parse-alert-query.ts';
import { nearest } from '../common/nearest.ts';
import { ALERT_DIRECTIONS, ALERT_FORMATS, type AlertDirection, type AlertFormat } from '../domain/alert.ts';
import { ApiError } from '../errors.ts';
import { type Command, type Invocation, UsageError } from './command.ts';

export const ALERT_OPTIONS: Command['options'] = {
  name: { placeholder: 'TEXT', doc: 'create: the name, which the messages show; no two alerts have the same' },
  query: {
    placeholder: 'QUERY',
    doc: "create: a query string of ta-cur, such as 'where=change7 < -20 and price >= 1'; with sort, order and limit, its first rows",
  },
  on: { placeholder: 'WHEN', doc: `create: ${ALERT_DIRECTIONS.join(', ')} (default: enter)` },
  to: { placeholder: 'URL', doc: 'create, resume: where to post the messages' },
  format: { placeholder: 'FORMAT', doc: `create: ${ALERT_FORMATS.join(', ')} (default: json)` },
};

const NAME_LENGTH = 100;
const QUERY_LENGTH = 6000;
const URL_LENGTH = 2000;

export function alertName(value: unknown): string {
  const name = typeof value === 'string' ? value.trim() : '';
  if (name !== '' && name.length <= NAME_LENGTH && !/\p{Cc}/u.test(name)) return name;
  throw new UsageError(
    `--name: expected one line of 1 to ${NAME_LENGTH} characters, got ${JSON.stringify(value ?? '')}`,
  );
}

/** As it is stored: without a leading `?`. */
export function alertQuery(value: unknown): string {
  if (typeof value !== 'string') throw new UsageError("alerts create needs --query, such as 'change1=10:'");
  const query = value.trim().replace(/^\?/, '');
  if (query.length > QUERY_LENGTH) throw new UsageError(`--query: at most ${QUERY_LENGTH} characters`);
  try {
    parseAlertQuery(query);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const hint = error.hint === undefined ? '' : `\n${error.hint}`;
    throw new UsageError(`--query: ${error.message}${hint}`, { cause: error });
  }
  return query;
}

export function alertDirection(value: unknown): AlertDirection {
  return choice('on', value ?? 'enter', ALERT_DIRECTIONS);
}

export function alertFormat(value: unknown): AlertFormat {
  return choice('format', value ?? 'json', ALERT_FORMATS);
}

/** Only what the URL itself shows; its name is resolved and checked whenever a message is sent. */
export function alertUrl(value: unknown, { config }: Pick<Invocation, 'config'>): string {
  const url = typeof value === 'string' ? URL.parse(value.trim()) : null;
  // Not shown: the URL of a webhook is a secret.
  if (url === null || !/^https?:$/.test(url.protocol) || url.href.length > URL_LENGTH) {
    throw new UsageError(`--to: expected an http or https URL of at most ${URL_LENGTH} characters`);
  }
  if (url.username !== '' || url.password !== '') throw new UsageError('--to: a user name or password is not sent');
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0 && !isAllowedAddress(host, config['allow-private-webhooks'])) {
    throw new UsageError(
      `--to: ${host} is refused: it is private, loopback, link-local or reserved\n` +
        '--allow-private-webhooks allows private and loopback addresses.',
    );
  }
  url.hash = '';
  return url.href;
}

function choice<T extends string>(flag: string, value: unknown, known: readonly T[]): T {
  const found = known.find(one => one === value);
  if (found !== undefined) return found;
  const meant = nearest(String(value), known);
  throw new UsageError(
    `--${flag}: expected ${known.join(', ')}, got ${JSON.stringify(value)}${meant === null ? '' : `; did you mean '${meant}'?`}`,
  );
}
