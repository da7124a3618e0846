// Errors as the other services send them: JSON without a code of ours, under the status that they document.

import { type ApiError, ERRORS, type ErrorCode } from '../../errors.ts';
import type { Answer } from '../../http/wire/answer.ts';
import { headerLines } from '../../http/wire/head.ts';
import { errorHeaders } from '../../http/wire/problem.ts';
import type { ErrorForm } from '../endpoint.ts';
import { exactly, type JsonObject } from '../json-schema.ts';

const HEADERS = headerLines('cache-control', 'no-store', 'content-type', 'application/json; charset=utf-8');

/** The codes of a request whose API key is not accepted. */
const BAD_KEYS: readonly ErrorCode[] = [
  'bad_authorization',
  'mistyped_key',
  'unknown_key',
  'revoked_key',
  'expired_key',
];

interface ErrorBodies {
  /** Where the service has another status than we have. */
  readonly statuses: Readonly<Partial<Record<ErrorCode, number>>>;
  readonly body: (error: ApiError, status: number, now: number) => object;
  readonly schema: JsonObject;
}

function errorForm({ statuses, body, schema }: ErrorBodies): ErrorForm {
  const statusOf = (code: ErrorCode) => statuses[code] ?? ERRORS[code].status;
  const answer = (error: ApiError, _: string, now: number): Answer => {
    const status = statusOf(error.code);
    const text = Buffer.from(JSON.stringify(body(error, status, now)));
    return { status, headers: HEADERS + errorHeaders(error), body: [text], code: error.code };
  };
  return { answer, statusOf, schema };
}

/** What went wrong and what to do, in one text. */
function textOf({ detail, hint }: ApiError): string {
  return hint === undefined ? detail : `${detail} ${hint}`;
}

const TEXT = { type: 'string', description: 'What was wrong.' };
const STATUS = exactly(
  {
    timestamp: { type: 'string', format: 'date-time', description: 'When it happened.' },
    error_code: { type: 'integer', description: 'The HTTP status, or one of the codes that CoinGecko documents.' },
    error_message: TEXT,
  },
  [],
);

/** CoinGecko's code of a request that its plan does not include. */
const BEYOND_PLAN = 10_012;
/** CoinGecko's code of a wrong API key. */
const WRONG_KEY = 10_002;

export const COINGECKO_ERRORS: ErrorForm = errorForm({
  statuses: { missing_parameter: 422, not_in_tier: 401 },
  body: (error, status, now) => {
    const numbered = (code: number) => ({
      status: { timestamp: new Date(now).toISOString(), error_code: code, error_message: textOf(error) },
    });
    if (error.code === 'not_in_tier') return { error: numbered(BEYOND_PLAN) };
    if (error.code === 'unknown_asset') return { error: 'coin not found' };
    if (error.code === 'missing_parameter') return { error: `Missing parameter ${error.param}` };
    if (error.code === 'invalid_value' && error.param === 'vs_currency') return { error: 'invalid vs_currency' };
    if (status === 401) return numbered(WRONG_KEY);
    return status === 429 || status >= 500 ? numbered(status) : { error: textOf(error) };
  },
  schema: {
    anyOf: [exactly({ error: TEXT }), exactly({ status: STATUS }), exactly({ error: exactly({ status: STATUS }) })],
    description: 'An error of CoinGecko: a text, or a status with a number.',
  },
});

export const COINPAPRIKA_ERRORS: ErrorForm = errorForm({
  statuses: { not_in_tier: 402, ...Object.fromEntries(BAD_KEYS.map(code => [code, 403])) },
  body: error => ({ error: error.code === 'unknown_asset' ? 'id not found' : textOf(error) }),
  schema: { ...exactly({ error: TEXT }), description: 'An error of CoinPaprika.' },
});

/** Charts look at the body alone. */
export const UDF_ERRORS: ErrorForm = errorForm({
  statuses: {},
  body: error => ({ s: 'error', errmsg: error.code === 'unknown_asset' ? 'unknown_symbol' : textOf(error) }),
  schema: { ...exactly({ s: { const: 'error' }, errmsg: TEXT }), description: 'An error of UDF.' },
});
