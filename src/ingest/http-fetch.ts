// One HTTP request with its whole body, within a time and a size.

export interface TextAnswer {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
  readonly retryAfter: string | null;
}

export interface TextRequest {
  /** GET without one. */
  readonly method?: string;
  readonly body?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMillis: number;
  readonly maxBodyBytes: number;
  readonly signal: AbortSignal;
}

export class TimeUp extends Error {
  override readonly name = 'TimeUp';
}

export class BodyTooBig extends Error {
  override readonly name = 'BodyTooBig';
}

/** Throws TimeUp, BodyTooBig, the signal's reason, or what `fetch` throws. */
export async function fetchText(url: string, request: TextRequest): Promise<TextAnswer> {
  const { signal, timeoutMillis, method = 'GET', headers: sent, body = null } = request;
  signal.throwIfAborted();
  const timeout = AbortSignal.timeout(timeoutMillis);
  try {
    const response = await fetch(url, { method, headers: sent, body, signal: AbortSignal.any([signal, timeout]) });
    const text = await bodyText(response, request.maxBodyBytes);
    const { status, headers } = response;
    return { status, text, headers, retryAfter: headers.get('retry-after') };
  } catch (error) {
    signal.throwIfAborted();
    if (timeout.aborted) throw new TimeUp(`no complete answer within ${timeoutMillis / 1000} s`, { cause: error });
    throw error;
  }
}

async function bodyText(response: Response, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    // Leaving the loop cancels the stream, and with it the transfer.
    if (size > maxBytes) throw new BodyTooBig(`the body is larger than ${Math.round(maxBytes / 1024 / 1024)} MB`);
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

/** `fetch failed` says nothing; its cause does. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (cause instanceof AggregateError) return cause.errors.map(reasonOf).join(', ');
  if (cause instanceof Error) return cause.message === '' ? cause.name : cause.message;
  return error.message;
}
