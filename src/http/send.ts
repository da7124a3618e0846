// Sends an answer at the turns of its client, and says what became of it.

import type { ServerResponse } from 'node:http';
import type { Exchange } from './exchange.ts';
import type { LongAnswers } from './protection/long-answers.ts';
import type { Scheduler } from './protection/scheduler.ts';
import type { Client } from './protection/scheduler-client.ts';
import { transmit } from './transmit.ts';
import { type Answer, isEventStream } from './wire/answer.ts';

export interface SendServices {
  readonly scheduler: Scheduler;
  readonly longAnswers: LongAnswers<ServerResponse>;
  readonly idleSeconds: number;
}

export interface Sent {
  /** Of the body; null if nothing was sent because the client had gone. */
  readonly bytes: number | null;
  /** The connection closed before all of the response was sent. */
  readonly aborted: boolean;
}

export function send(
  { scheduler, longAnswers, idleSeconds }: SendServices,
  exchange: Exchange,
  client: Client,
  answer: Answer,
): Sent | Promise<Sent> {
  const { request, response, headers, isGone } = exchange;
  const piece = <T>(work: () => T | Promise<T>) => scheduler.piece(client, work, isGone);
  const withBody = request.method !== 'HEAD';
  const sent = transmit(response, { answer, always: headers, withBody, idleSeconds, longAnswers, piece });
  if (!(sent instanceof Promise)) return { bytes: sent, aborted: false };
  if (answer.body === null || !isEventStream(answer.body)) {
    return sent.then(bytes => ({ bytes, aborted: !response.writableFinished }));
  }
  // It is logged at its end. Most clients end it by disconnecting.
  const endStream = exchange.beginStream();
  return sent.then(bytes => {
    endStream();
    return { bytes, aborted: false };
  });
}
