// How the log is written. Everything that the service logs while it runs goes to standard error, one line for each event.

export interface LogForm {
  readonly form: 'text' | 'json';
  readonly requests: 'all' | 'failed' | 'none';
}

/** A program reads JSON and wants all of it; a person at a terminal wants to see what is out of the ordinary. */
export function logForm(form: string, requests: string): LogForm {
  const json = form === 'json';
  const wanted = requests === 'all' || requests === 'failed' || requests === 'none' ? requests : null;
  return { form: json ? 'json' : 'text', requests: wanted ?? (json ? 'all' : 'none') };
}

/** The members of every JSON line, besides those of its event. */
export const LINE_FIELDS = {
  time: 'When it happened, ISO 8601, UTC',
  level: '`info`, `warn` or `error`',
  event: 'What happened: `request`, or one of the events below',
} as const;

/** The further members of a request's line, in their order. */
export const REQUEST_FIELDS = {
  id: 'The request id: `X-Request-Id` of the response, `request_id` of an error',
  method: 'Its method',
  route: 'The pattern of its path, as in the metrics; `none` for an unknown path',
  path: 'Its path, decoded. Long runs of letters and digits, which may be API keys, are replaced by `***`',
  query: 'Its query string, decoded. The values of `api_key` and of unknown parameters are left out',
  status: 'The status of the response',
  code: 'The code of the error; null without one',
  ms: 'Milliseconds from the received request to the sent response',
  bytes: 'Bytes of the body',
  key: 'The public id of the API key; null without one',
  address: 'The address of the client; with `--trust-proxy`, the one that the outermost trusted proxy names',
  thread: 'The number of the thread',
  aborted: '`true` if a long response ended before its last byte; otherwise absent',
} as const;
