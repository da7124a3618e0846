// An answer over an agent of the caller's choice, which fails unless all of it arrives.

import assert from 'node:assert/strict';
import { type Agent, type IncomingMessage, request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

export async function answerTo(
  url: string,
  headers: Readonly<Record<string, string>>,
  agent: Agent,
  /** Waited between two pieces of the answer. */
  pauseMs = 0,
): Promise<{ status: number; text: string }> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request(url, { headers, agent }, resolve).on('error', reject).end();
  });
  const chunks: Buffer[] = [];
  for await (const chunk of response) {
    chunks.push(chunk);
    if (pauseMs > 0) await wait(pauseMs);
  }
  assert.ok(response.complete, 'the answer breaks off');
  return { status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() };
}
