// Long answers that their clients do not take: what the server tells of them.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import type { RequestTrace } from '../../src/http/observe/http-observer.ts';
import { requestLines } from '../../src/http/observe/request-log.ts';
import { TestService } from '../support/service.ts';
import { UNOBSERVED } from '../support/unobserved.ts';

/** More than the system takes for a client that reads nothing. */
const METRICS = `${'x'.repeat(2 ** 25)}\n`;

describe('a long answer', () => {
  let service: TestService;
  let answered: (exchange: RequestTrace) => void;
  before(async () => {
    const observer = { ...UNOBSERVED, answered: (exchange: RequestTrace) => answered(exchange) };
    service = await TestService.start({ metrics: async () => METRICS, observer });
  });
  after(() => service.close());

  /** Of a client that goes away at the first byte, or reads on. */
  async function exchangeWith(client: 'impatient' | 'patient'): Promise<RequestTrace> {
    const told = new Promise<RequestTrace>(resolve => {
      answered = resolve;
    });
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write('GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(socket, 'data');
    if (client === 'impatient') socket.destroy();
    const exchange = await told;
    socket.destroy();
    return exchange;
  }

  function linesOf(exchange: RequestTrace): { json: object; text: string } {
    const [json, text] = (['json', 'text'] as const).map(
      form =>
        requestLines({ form, requests: 'all' }, 1, { trustProxy: null, loggedNames: new Set() })(exchange) ??
        assert.fail(form),
    );
    return { json: JSON.parse(json!), text: text! };
  }

  it('that ends early is told of as aborted', async () => {
    const exchange = await exchangeWith('impatient');
    assert.ok(exchange.aborted);
    assert.ok(exchange.bytes < METRICS.length);
    const { json, text } = linesOf(exchange);
    assert.ok('aborted' in json && json.aborted === true);
    assert.match(text, / \d+ B aborted GET \/metrics /);
  });

  it('that was read to its end is not', async () => {
    const exchange = await exchangeWith('patient');
    assert.ok(!exchange.aborted);
    assert.equal(exchange.bytes, METRICS.length);
    const { json, text } = linesOf(exchange);
    assert.ok(!('aborted' in json));
    assert.doesNotMatch(text, /aborted/);
  });
});
