import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { LineBuffer } from './line-buffer.ts';
import { logForm } from './log-form.ts';
import { ServiceLog } from './service-log.ts';

function logTo(form: 'text' | 'json', stream = { writableLength: 0, text: '' }) {
  const dropped: number[] = [];
  const sink = {
    get writableLength() {
      return stream.writableLength;
    },
    write: (text: string) => {
      stream.text += text;
    },
  };
  const onDropped = (lines: number) => dropped.push(lines);
  return { log: new ServiceLog({ form, stream: sink, onDropped, now: () => 0 }), stream, dropped };
}

const FAILED = {
  event: 'load_ended',
  load: 3,
  source: 'csv',
  state: 'failed',
  read: 9,
  inserted: 1,
  replaced: 2,
  unchanged: 3,
  rejected: 4,
  error: 'a "broken"\nfile',
} as const;

describe('the log', () => {
  it('tells of an event as one JSON object a line, with its time and level first', () => {
    const { log, stream } = logTo('json');
    log.event(FAILED);
    const { event, ...facts } = FAILED;
    assert.deepEqual(stream.text.split('\n').length, 2);
    const line = JSON.parse(stream.text);
    assert.deepEqual(line, { time: '1970-01-01T00:00:00.000Z', level: 'error', event, ...facts });
    assert.deepEqual(Object.keys(line).slice(0, 3), ['time', 'level', 'event']);
  });

  it('writes no control character as text', () => {
    const { log, stream } = logTo('text');
    log.event({ ...FAILED, error: '\x1b]0;title\x07 \u009b2J' });
    assert.match(stream.text, /\\u001b\]0;title\\u0007 \\u009b2J/);
    assert.doesNotMatch(stream.text, /(?!\n)\p{Cc}/u);
  });

  it('has another level for the same event when it went well', () => {
    const { log, stream } = logTo('json');
    log.event({ ...FAILED, state: 'done', error: null });
    assert.equal(JSON.parse(stream.text).level, 'info');
  });

  it('tells people in words, and nothing that they know already', () => {
    const { log, stream } = logTo('text');
    log.event({ event: 'stopping', drainSeconds: 0, graceSeconds: 10 });
    assert.equal(stream.text, '');
    log.event({ event: 'store_unreachable', doing: 'data', reason: 'the disk is gone' });
    assert.equal(stream.text, 'the store is unreachable for data: the disk is gone\n');
  });

  it('drops and counts lines while the log is not read, and continues when it is', () => {
    const { log, stream, dropped } = logTo('json');
    stream.writableLength = 2 ** 21;
    log.write('a\nb\n', 2);
    log.event({ event: 'stopping', drainSeconds: 0, graceSeconds: 10 });
    assert.deepEqual([stream.text, dropped], ['', [2, 1]]);
    stream.writableLength = 0;
    log.write('c\n', 1);
    assert.equal(stream.text, 'c\n');
  });
});

describe('lines that are gathered', () => {
  it('are handed on together: when they are many, when time has passed, and at the end', async () => {
    const handed: [string, number][] = [];
    const lines = new LineBuffer((text, count) => handed.push([text, count]));
    lines.add('a');
    lines.add('b');
    assert.deepEqual(handed, []);
    lines.flush();
    lines.flush();
    assert.deepEqual(handed, [['a\nb\n', 2]]);
    lines.add('x'.repeat(100_000));
    assert.equal(handed.length, 2);
    lines.add('c');
    while (handed.length < 3) await wait(10);
    assert.deepEqual(handed[2], ['c\n', 1]);
  });
});

describe('the requests that are logged', () => {
  for (const [form, requests, expected] of [
    ['text', '', { form: 'text', requests: 'none' }],
    ['json', '', { form: 'json', requests: 'all' }],
    ['text', 'all', { form: 'text', requests: 'all' }],
    ['json', 'failed', { form: 'json', requests: 'failed' }],
    ['json', 'none', { form: 'json', requests: 'none' }],
  ] as const) {
    it(`--log ${form} --log-requests '${requests}'`, () => assert.deepEqual(logForm(form, requests), expected));
  }
});
