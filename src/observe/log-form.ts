// How the log is written. Everything that is said while the service runs goes to standard error, one line for each event.

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

/** The members of a line in JSON, beside those of the event that it tells of. */
export const LINE_FIELDS = {
  time: 'When it happened, ISO 8601, UTC',
  level: '`info`, `warn` or `error`',
  event: 'What happened: `request`, or one of the events below',
} as const;

/** The further members of a request's line, in their order. */
export const REQUEST_FIELDS = {
  id: 'The request id: `X-Request-Id` of the answer, `request_id` of an error',
  method: 'Its method',
  route: 'The pattern of its path, as in the metrics; `none` where there is no such path',
  path: 'Its path, decoded. Longer runs of letters and digits, as keys are, are replaced by `***`',
  query:
    'Its query string, decoded. Of a parameter that the service does not know, and of `api_key`, only the name is written',
  status: 'The status of the answer',
  code: 'The code of the error; null where there was none',
  ms: 'Milliseconds from the request in hand to the answer handed over',
  bytes: 'Bytes of the body that were sent',
  key: 'The public id of the key; null where none was needed or known',
  address: 'The address of the client; with `--trust-proxy`, the one that the outermost trusted proxy names',
  thread: 'The number of the thread that answered',
  aborted: '`true` where a long answer ended before its last byte; absent elsewhere',
} as const;
