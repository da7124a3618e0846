// One attempt to post a message: to an address that was checked, without redirects, in bounded time and memory.

import { lookup as systemLookup } from 'node:dns';
import { request as httpRequest, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { isAllowedAddress } from './allowed-address.ts';

const TIMEOUT_MS = 10_000;
const MAX_RESPONSE_BYTES = 64 * 1024;

export interface PostOptions {
  /** Whether private and loopback addresses may be reached. */
  readonly allowPrivate: boolean;
  readonly timeoutMs?: number;
  /** Resolves names; tests bring their own. */
  readonly lookup?: typeof systemLookup;
}

export interface PostOutcome {
  readonly ok: boolean;
  /** Null without a response. */
  readonly status: number | null;
  /** For people; it has neither the path of the URL nor anything that the receiver sent. */
  readonly error: string | null;
}

export async function post(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  options: PostOptions,
): Promise<PostOutcome> {
  try {
    const status = await send(new URL(url), headers, body, options);
    const ok = status >= 200 && status < 300;
    const redirect = status >= 300 && status < 400 ? ' (redirects are not followed)' : '';
    return { ok, status, error: ok ? null : `the receiver responded with ${status}${redirect}` };
  } catch (error) {
    return { ok: false, status: null, error: reasonOf(error) };
  }
}

function send(
  url: URL,
  headers: Readonly<Record<string, string>>,
  body: string,
  { allowPrivate, timeoutMs = TIMEOUT_MS, lookup = systemLookup }: PostOptions,
): Promise<number> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  // An address is not looked up, so that the check below would not see it.
  if (isIP(host) !== 0 && !isAllowedAddress(host, allowPrivate)) throw new RefusedAddress(host);
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, {
      method: 'POST',
      headers: { ...headers, 'content-length': Buffer.byteLength(body), 'user-agent': 'Tidemark' },
      // A connection of its own: one that is kept open would outlive a change of the name's addresses.
      agent: false,
      lookup: checkedLookup(lookup, allowPrivate),
    } satisfies RequestOptions);
    // Covers everything, also the lookup, which cannot be stopped.
    const timer = setTimeout(() => request.destroy(new TimeUp(timeoutMs)), timeoutMs);
    request.on('close', () => {
      clearTimeout(timer);
      reject(new Error('the connection closed before a response'));
    });
    request.on('error', reject);
    request.on('response', response => {
      let bytes = 0;
      const done = () => resolve(response.statusCode ?? 0);
      response.on('end', done);
      response.on('error', reject);
      response.on('data', (piece: Buffer) => {
        bytes += piece.length;
        if (bytes <= MAX_RESPONSE_BYTES) return;
        // The status has said all that counts.
        done();
        request.destroy();
      });
    });
    request.end(body);
  });
}

class TimeUp extends Error {
  constructor(millis: number) {
    super(`no complete response within ${millis / 1000} s`);
  }
}

class RefusedAddress extends Error {
  constructor(address: string) {
    super(
      `the address ${address} is refused: it is private, loopback, link-local or reserved (--allow-private-webhooks)`,
    );
  }
}

/** Gives the connection only addresses that were checked: the name is not resolved again between the check and the connection. */
function checkedLookup(lookup: typeof systemLookup, allowPrivate: boolean): LookupFunction {
  return (host, options, callback) => {
    lookup(host, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, '');
      const refused = addresses.find(({ address }) => !isAllowedAddress(address, allowPrivate));
      if (refused !== undefined) return callback(new RefusedAddress(refused.address), '');
      const [first] = addresses;
      if (options.all === true || first === undefined) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // Of the attempts at several addresses, the first says enough.
  const first = error instanceof AggregateError ? error.errors[0] : error;
  return first instanceof Error ? first.message : error.message;
}
