// A small JSON object as the answer of a probe.

import type { Answer } from '../http/wire/answer.ts';
import { type HeaderLines, headerLines } from '../http/wire/head.ts';

const JSON_TYPE = headerLines('content-type', 'application/json; charset=utf-8');

export function probeAnswer(status: number, value: object, headers: HeaderLines = ''): Answer {
  return { status, headers: headers + JSON_TYPE, body: [Buffer.from(JSON.stringify(value))] };
}
