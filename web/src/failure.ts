// The ways in which a request can fail, by what the user can do about it.

export type Failure =
  /** No key, or one that the service refuses. */
  | { readonly kind: 'key'; readonly problem: Problem }
  /** Too many requests; fine again after so many seconds. */
  | { readonly kind: 'limit'; readonly problem: Problem; readonly retryAfter: number }
  /** The service has no data yet. */
  | { readonly kind: 'unready'; readonly problem: Problem; readonly retryAfter: number }
  /** The service does not know what was asked for. */
  | { readonly kind: 'missing'; readonly problem: Problem }
  /** What was asked is wrong. */
  | { readonly kind: 'request'; readonly problem: Problem }
  /** The service failed. */
  | { readonly kind: 'server'; readonly problem: Problem }
  /** No response, or a connection that broke; the page tries again after so many seconds. */
  | { readonly kind: 'network'; readonly retryAfter: number };

/** The body of an error (RFC 9457). */
export interface Problem {
  readonly status: number;
  readonly code: string;
  readonly title: string;
  readonly detail: string;
  readonly hint?: string;
  /** Ids that an ambiguous ticker could mean. */
  readonly candidates?: readonly string[];
  readonly request_id?: string;
}

/** Failures of the network since the last response: each doubles the wait, up to a minute. */
let failures = 0;

export function succeeded(): void {
  failures = 0;
}

export function networkFailure(): Failure {
  return { kind: 'network', retryAfter: Math.min(60, 2 ** ++failures) };
}

export class RequestFailed extends Error {
  override readonly name = 'RequestFailed';
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.kind === 'network' ? 'no response' : failure.problem.detail);
    this.failure = failure;
  }
}

export async function failureOf(response: Response): Promise<Failure> {
  const problem = await problemOf(response);
  const retryAfter = secondsToWait(response);
  switch (response.status) {
    case 401:
    case 403:
      return { kind: 'key', problem };
    case 404:
      return { kind: 'missing', problem };
    case 429:
      return { kind: 'limit', problem, retryAfter };
    case 503:
      return { kind: 'unready', problem, retryAfter };
    default:
      return { kind: response.status < 500 ? 'request' : 'server', problem };
  }
}

/** The service names seconds; a proxy may name a time, or nothing. */
function secondsToWait(response: Response): number {
  const named = Number(response.headers.get('retry-after') || Number.NaN);
  return Number.isFinite(named) ? named : 5;
}

/** A proxy before the service answers with a body of its own. */
async function problemOf(response: Response): Promise<Problem> {
  try {
    // Only the service sends this media type.
    if (response.headers.get('content-type')?.includes('json')) return (await response.json()) as Problem;
  } catch {
    // A body cut off tells no more than the status does.
  }
  return {
    status: response.status,
    code: `http_${response.status}`,
    title: response.statusText || `Status ${response.status}`,
    detail: `The answer has status ${response.status}, and not from Tidemark itself.`,
  };
}

/** What a `catch` caught; null for a request that the page itself gave up. */
export function failureIn(error: unknown): Failure | null {
  if (error instanceof RequestFailed) return error.failure;
  if (error instanceof DOMException && error.name === 'AbortError') return null;
  throw error;
}
