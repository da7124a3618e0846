// The store's contract: alerts, what they match, and the queue of deliveries.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DELIVERIES_KEPT, type NewAlert, type NewDelivery, type Store } from '../../src/store/store.ts';
import type { Subject } from './store.ts';

const T0 = 1_700_000_000_000;
const target = { url: 'https://hooks.example.com/T0/secret', secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' };

function alert(name: string, facts: Partial<NewAlert> = {}): NewAlert {
  return { id: `alert_${name}`, name, query: 'price=1:', on: 'both', format: 'json', target, ...facts };
}

function delivery(id: string, facts: Partial<NewDelivery> = {}): NewDelivery {
  return { id, createdAt: T0, entered: 2, left: 1, body: `{"id":"${id}"}`, ...facts };
}

const FAILED_ONCE = { state: 'waiting', at: T0 + 5, nextAt: T0 + 100, status: 503, error: 'busy' } as const;

/** Records an evaluation of the alert as it is now; returns whether it was stored. */
async function evaluated(store: Store, id: string, symbols: string[], version: number, sent: NewDelivery | null) {
  const { revision } = (await store.alerts()).find(one => one.id === id)!;
  return store.recordEvaluation({ alert: id, revision, matching: { version, symbols, reported: [] }, delivery: sent });
}

export function alertContract(use: () => Subject): void {
  test('alerts are listed as they were created, oldest first', async () => {
    const store = await use().fresh();
    const began = Date.now();
    await store.createAlert(alert('zeta', { name: 'Zeta ₿ \0' }));
    await store.createAlert(alert('alpha', { on: 'leave', format: 'slack' }));
    const [first, second, ...others] = await store.alerts();
    assert.deepEqual(others, []);
    const expected = { paused: false, revision: 1, matching: null, waiting: 0 };
    assert.deepEqual(first, {
      ...alert('zeta', { name: 'Zeta ₿ \uFFFD' }),
      ...expected,
      createdAt: first!.createdAt,
    });
    assert.deepEqual(second, {
      ...alert('alpha', { on: 'leave', format: 'slack' }),
      ...expected,
      createdAt: second!.createdAt,
    });
    assert.ok(Date.parse(first!.createdAt) >= began && Date.parse(first!.createdAt) <= Date.now());
    await assert.rejects(store.createAlert(alert('other', { name: 'alpha' })), { code: 'alert_taken' });
    await assert.rejects(store.createAlert(alert('alpha', { name: 'other' })), { code: 'alert_taken' });
  });

  test('an evaluation stores what matches and queues its message together', async () => {
    const store = await use().fresh();
    await store.createAlert(alert('a'));
    assert.equal(await evaluated(store, 'alert_a', [], 1, null), true);
    assert.equal(await evaluated(store, 'alert_a', ['BTC', 'ETH'], 7, delivery('msg_1')), true);
    const [found] = await store.alerts();
    assert.deepEqual([found!.matching, found!.waiting], [{ version: 7, symbols: ['BTC', 'ETH'], reported: [] }, 1]);
    const fresh = { state: 'waiting', attempts: 0, lastAt: null, nextAt: T0, status: null, error: null };
    const queued = [{ ...delivery('msg_1'), alert: 'alert_a', ...fresh }];
    assert.deepEqual(await store.deliveries(10), queued);
    assert.deepEqual([await store.dueAlerts(T0), await store.dueAlerts(T0 - 1)], [['alert_a'], []]);
    assert.deepEqual(await store.dueDelivery('alert_a', T0), queued[0]);
    assert.equal(await store.dueDelivery('alert_a', T0 - 1), null);
  });

  test('what messages reported is stored with what matches', async () => {
    const store = await use().fresh();
    await store.createAlert(alert('a'));
    const [{ revision } = assert.fail('no alert')] = await store.alerts();
    const reported = [
      { at: T0, entered: ['BTC', '__proto__'], left: [] },
      { at: T0 + 1, entered: [], left: ['ETH'] },
    ];
    const matching = { version: 7, symbols: ['BTC', '__proto__'], reported };
    await store.recordEvaluation({ alert: 'alert_a', revision, matching, delivery: null });
    assert.deepEqual((await store.alerts())[0]!.matching, matching);
    await store.setAlert('alert_a', { paused: true });
    assert.equal((await store.alerts())[0]!.matching, null);
  });

  test('an evaluation of an alert that has changed, or with an older version, stores nothing', async () => {
    const store = await use().fresh();
    await store.createAlert(alert('a'));
    const [read] = await store.alerts();
    const stale = { alert: 'alert_a', revision: read!.revision, delivery: delivery('msg_twice') };
    const matching = { version: 5, symbols: ['BTC'], reported: [] };
    assert.equal(await store.recordEvaluation({ ...stale, matching, delivery: delivery('msg_once') }), true);
    assert.equal(await store.recordEvaluation({ ...stale, matching }), false);
    assert.equal(await evaluated(store, 'alert_a', ['ETH'], 4, delivery('msg_old')), false);
    assert.equal(await evaluated(store, 'alert_a', ['ETH'], 5, null), true);
    assert.equal(await store.recordEvaluation({ ...stale, alert: 'alert_none', matching }), false);
    assert.deepEqual(
      (await store.deliveries(10)).map(({ id }) => id),
      ['msg_once'],
    );
  });

  test('a change of an alert forgets what it matched', async () => {
    const store = await use().fresh();
    await store.createAlert(alert('a'));
    await evaluated(store, 'alert_a', ['BTC'], 5, delivery('msg_1'));
    assert.equal(await store.setAlert('alert_a', { paused: true }), true);
    const [paused] = await store.alerts();
    assert.deepEqual([paused!.paused, paused!.matching, paused!.target], [true, null, target]);
    assert.deepEqual([await store.dueAlerts(T0), await store.dueDelivery('alert_a', T0)], [[], null]);
    const other = { url: 'https://example.org/', secret: 'whsec_other' };
    await store.setAlert('alert_a', { paused: false, target: other });
    assert.deepEqual((await store.alerts())[0]!.target, other);
    assert.deepEqual(await store.dueAlerts(T0), ['alert_a']);
    assert.equal((await store.dueDelivery('alert_a', T0))?.id, 'msg_1');
    assert.equal(await store.setAlert('alert_none', { paused: true }), false);
  });

  test('a removed alert takes its deliveries with it', async () => {
    const store = await use().fresh();
    for (const name of ['a', 'b']) {
      await store.createAlert(alert(name));
      await evaluated(store, `alert_${name}`, ['BTC'], 5, delivery(`msg_${name}`));
    }
    assert.equal(await store.removeAlert('alert_a'), true);
    assert.equal(await store.removeAlert('alert_a'), false);
    await store.recordAttempt('msg_a', FAILED_ONCE);
    assert.deepEqual(
      (await store.alerts()).map(({ id }) => id),
      ['alert_b'],
    );
    assert.deepEqual(
      (await store.deliveries(10)).map(({ id }) => id),
      ['msg_b'],
    );
    await store.createAlert(alert('a'));
  });

  test('attempts are counted until a delivery ends, and then no more', async () => {
    const store = await use().fresh();
    await store.createAlert(alert('a'));
    await evaluated(store, 'alert_a', ['BTC'], 5, delivery('msg_1'));
    await store.recordAttempt('msg_1', FAILED_ONCE);
    const { at, ...outcome } = FAILED_ONCE;
    const once = { ...delivery('msg_1'), alert: 'alert_a', ...outcome, attempts: 1, lastAt: at };
    assert.deepEqual(await store.deliveries(10), [once]);
    assert.deepEqual(await store.dueAlerts(T0 + 99), []);
    const done = { state: 'delivered', at: T0 + 100, nextAt: null, status: 204, error: null } as const;
    await store.recordAttempt('msg_1', done);
    await store.recordAttempt('msg_1', FAILED_ONCE);
    const ended = {
      ...once,
      state: 'delivered',
      attempts: 2,
      lastAt: T0 + 100,
      nextAt: null,
      status: 204,
      error: null,
    };
    assert.deepEqual(await store.deliveries(10), [{ ...ended, body: '' }]);
    assert.equal((await store.alerts())[0]!.waiting, 0);
  });

  test('of each alert, the delivery that is due first is given', async () => {
    const store = await use().fresh();
    for (const name of ['a', 'b']) await store.createAlert(alert(name));
    await evaluated(store, 'alert_a', ['A'], 1, delivery('msg_a1'));
    await evaluated(store, 'alert_a', ['B'], 2, delivery('msg_a2', { createdAt: T0 + 1 }));
    await evaluated(store, 'alert_b', ['A'], 2, delivery('msg_b1', { createdAt: T0 + 2 }));
    const due = async (at: number) =>
      Promise.all((await store.dueAlerts(at)).map(async id => (await store.dueDelivery(id, at))?.id));
    assert.deepEqual(await due(T0 + 2), ['msg_a1', 'msg_b1']);
    assert.deepEqual(await due(T0 + 1), ['msg_a1']);
    await store.recordAttempt('msg_a1', FAILED_ONCE);
    assert.deepEqual(await due(T0 + 2), ['msg_a2', 'msg_b1']);
    assert.deepEqual([await store.dueDelivery('alert_none', T0 + 2), await due(T0)], [null, []]);
    assert.deepEqual(
      (await store.deliveries(10, 'alert_a')).map(({ id }) => id),
      ['msg_a2', 'msg_a1'],
    );
  });

  test('the newest deliveries that have ended are kept, and all that wait', async () => {
    const store = await use().fresh();
    await store.createAlert(alert('a'));
    await evaluated(store, 'alert_a', ['A'], 1, delivery('msg_waits'));
    for (let i = 0; i < DELIVERIES_KEPT + 3; i++) {
      const matching = { version: i + 2, symbols: [String(i)], reported: [] };
      // Each evaluation is one revision.
      await store.recordEvaluation({ alert: 'alert_a', revision: i + 2, matching, delivery: delivery(`msg_${i}`) });
      await store.recordAttempt(`msg_${i}`, { ...FAILED_ONCE, state: 'failed', nextAt: null });
    }
    const ids = (await store.deliveries(2 * DELIVERIES_KEPT)).map(({ id }) => id);
    assert.equal(ids.length, DELIVERIES_KEPT + 1);
    assert.deepEqual([ids[0], ids.at(-2), ids.at(-1)], [`msg_${DELIVERIES_KEPT + 2}`, 'msg_3', 'msg_waits']);
  });
}
