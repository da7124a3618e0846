// The API key of a request, in any of the ways to send it: our own, and those of clients of CoinGecko and CoinPaprika.

import type { IncomingHttpHeaders } from 'node:http';
import { decodeUri } from '../../common/decode-uri.ts';
import { KEY_PARAMETERS } from '../../domain/api-key.ts';
import { ApiError } from '../../errors.ts';

/** Besides `Authorization`. The last two are CoinGecko's. */
export const KEY_HEADERS = ['x-api-key', 'x-cg-demo-api-key', 'x-cg-pro-api-key'] as const;

/** Null without one. Two different API keys in one request are an error, because it is unclear which limits apply. */
export function apiKeyOf(headers: IncomingHttpHeaders, url: string): string | null | ApiError {
  const authorization = headers.authorization === undefined ? null : authorizationKey(headers.authorization);
  if (authorization instanceof ApiError) return authorization;
  const found = [
    ...(authorization === null ? [] : [authorization]),
    ...KEY_HEADERS.flatMap(name => headerKeys(headers[name])),
    ...parameterKeys(url),
  ];
  const [first] = found;
  if (first === undefined) return null;
  if (found.every(key => key === first)) return first;
  return new ApiError('conflicting_keys', 'The request has two different API keys.', {
    hint: 'Send one API key.',
  });
}

/** A key alone, without a scheme, is how CoinPaprika's clients send theirs. */
function authorizationKey(header: string): string | ApiError {
  const [, key] = /^(?:(?:bearer|token)[ \t]+|(?=tdm_))([^\s,]+)[ \t]*$/i.exec(header) ?? [];
  return (
    key ??
    new ApiError('bad_authorization', 'The Authorization header has an unknown form.', {
      param: 'Authorization',
      hint: "Send 'Authorization: Bearer KEY' or 'Authorization: Token KEY'.",
    })
  );
}

/** Node joins a header that was sent twice by a comma. */
function headerKeys(header: string | string[] | undefined): string[] {
  const keys = header?.toString().split(',') ?? [];
  return keys.map(key => key.trim()).filter(key => key !== '');
}

function parameterKeys(url: string): string[] {
  if (!mayHoldApiKey(url)) return [];
  return url
    .slice(url.indexOf('?') + 1)
    .split('&')
    .map(pair => pair.split('='))
    .filter(([name = '']) => KEY_PARAMETERS.includes(decoded(name)))
    .map(([, ...value]) => decoded(value.join('=')))
    .filter(key => key !== '');
}

/** Whether there may be a key in it: the name of the parameter as it stands, or with any of its letters percent-encoded. */
export function mayHoldApiKey(url: string): boolean {
  return url.includes('?') && (url.includes('api_key') || url.includes('%'));
}

/** What cannot be decoded stays as it is: as an API key it is a mistyped one, and the query parser reports the rest. */
function decoded(text: string): string {
  return decodeUri(text) ?? text;
}
