// The text format of Server-Sent Events (https://html.spec.whatwg.org/multipage/server-sent-events.html).

/** Keeps an idle connection open: clients ignore a line that begins with a colon. */
export const HEARTBEAT: Buffer = Buffer.from(':\n\n');

/** `data`: pieces of one JSON text, which contains no line breaks. `id` is what a client sends back as `Last-Event-ID`. */
export function eventBytes(name: string, id: number, ...data: readonly (string | Buffer)[]): Buffer {
  const pieces = [`event: ${name}\nid: ${id}\ndata: `, ...data, '\n\n'];
  return Buffer.concat(pieces.map(piece => (typeof piece === 'string' ? Buffer.from(piece) : piece)));
}

/** The last event of a stream. `retryMs`: how long a browser waits before it connects again. */
export function goodbyeBytes(reason: string, retryMs: number | null): Buffer {
  const retry = retryMs === null ? '' : `retry: ${retryMs}\n`;
  return Buffer.from(`event: goodbye\n${retry}data: ${JSON.stringify({ reason })}\n\n`);
}
