// The key that a request brings, in whichever of the four ways.

import type { IncomingHttpHeaders } from 'node:http';
import { ApiError } from '../../errors.ts';

/** Null without one. Two different keys in one request are an error: nobody could say which limits apply. */
export function keyOf(headers: IncomingHttpHeaders, url: string): string | null | ApiError {
  const authorization = headers.authorization === undefined ? null : authorizationKey(headers.authorization);
  if (authorization instanceof ApiError) return authorization;
  const found = [
    ...(authorization === null ? [] : [authorization]),
    ...headerKeys(headers['x-api-key']),
    ...parameterKeys(url),
  ];
  const [first] = found;
  if (first === undefined) return null;
  if (found.every(key => key === first)) return first;
  return new ApiError('conflicting_keys', 'The request brings two different keys.', {
    hint: 'Send one key, in one way.',
  });
}

function authorizationKey(header: string): string | ApiError {
  const [, key] = /^(?:bearer|token)[ \t]+([^\s,]+)[ \t]*$/i.exec(header) ?? [];
  return (
    key ??
    new ApiError('bad_authorization', 'The Authorization header cannot be read.', {
      param: 'Authorization',
      hint: "Send 'Authorization: Bearer KEY' or 'Authorization: Token KEY'.",
    })
  );
}

function headerKeys(header: string | string[] | undefined): string[] {
  const key = header?.toString().trim();
  return key === undefined || key === '' ? [] : [key];
}

function parameterKeys(url: string): string[] {
  if (!url.includes('api_key')) return [];
  const query = url.slice(url.indexOf('?') + 1);
  return query
    .split('&')
    .filter(pair => pair.startsWith('api_key='))
    .map(pair => decoded(pair.slice('api_key='.length)))
    .filter(key => key !== '');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // The parser of the listing says what is wrong with it; as a key it is a mistyped one.
    return text;
  }
}
