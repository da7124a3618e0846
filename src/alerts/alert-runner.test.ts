import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it, type TestContext } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { asset, NOW, row } from '../../test/support/market.ts';
import { INDICATORS } from '../domain/catalogue.ts';
import { TA_CUR } from '../domain/datasets.ts';
import type { ServiceEvent } from '../observe/events.ts';
import type { EarlierValues } from '../query/execute/earlier-values.ts';
import { buildSnapshot } from '../snapshot/build/build.ts';
import type { Snapshot } from '../snapshot/table.ts';
import { openStore } from '../store/open.ts';
import type { NewAlert, Store } from '../store/store.ts';
import { AlertRunner, MAX_WAITING } from './alert-runner.ts';
import type { post } from './post.ts';

const HOUR = 3_600_000;
const SILENT = 'http://silent.example.com/';
const folder = mkdtempSync(join(tmpdir(), 'tidemark-alerts-'));
after(() => rmSync(folder, { recursive: true }));
let files = 0;

/** The listing of A1, A2, … with these prices; null: not in it. */
function snapshot(version: number, prices: readonly (number | null)[]): Snapshot {
  const listed = prices.flatMap((price, i) => (price === null ? [] : [{ assetNumber: i + 1, price }]));
  return buildSnapshot({
    version,
    assets: listed.map(({ assetNumber }) => asset({ assetNumber })),
    rows: listed.map(({ assetNumber, price }) => row(assetNumber, { price })),
    now: NOW,
  });
}

interface Sent {
  readonly id: string;
  readonly body: {
    data: Record<'entered' | 'left', { count: number; rows: { symbol: string; price?: number }[] }> &
      Record<'url' | 'screen_url', string>;
  };
}

/** A receiver that answers as it is told, a clock that is set, and runners of one store. */
class Scene {
  readonly sent: Sent[] = [];
  readonly events: ServiceEvent[] = [];
  status = 204;
  now = NOW;
  againAfterMs = 0;
  readonly store: Store;
  readonly #t: TestContext;

  static async make(t: TestContext): Promise<Scene> {
    const store = await openStore(`sqlite:${join(folder, `${++files}.db`)}`);
    t.after(() => store.close());
    return new Scene(t, store);
  }

  private constructor(t: TestContext, store: Store) {
    this.#t = t;
    this.store = store;
  }

  /** Until it is resolved, the receiver SILENT does not respond. */
  readonly silence = Promise.withResolvers<void>();

  /** The values of earlier periods; null: they cannot be computed now. */
  earlier: EarlierValues | null = null;

  /** That of another interval. */
  listing: Snapshot | null = null;

  /** How often the optional columns were asked for. */
  wanted = 0;

  runner(store: Partial<Store> = {}, longRoundMs = Number.POSITIVE_INFINITY): AlertRunner {
    const deliver: typeof post = async (url, headers, body) => {
      if (url === SILENT) await this.silence.promise;
      this.sent.push({ id: headers['webhook-id']!, body: JSON.parse(body) });
      const ok = this.status < 300;
      return { ok, status: this.status, error: ok ? null : 'refused' };
    };
    const runner = new AlertRunner({
      store: { ...this.store, ...store },
      baseUrl: () => 'http://example.com',
      listing: async () => this.listing,
      group: 'crypto',
      againAfterMs: this.againAfterMs,
      metrics: { add: () => {}, set: () => {} },
      onEvent: event => this.events.push(event),
      allowPrivate: true,
      now: () => this.now,
      random: () => 0,
      post: deliver,
      lockEveryMs: 0,
      longRoundMs,
      wantOptional: () => this.wanted++,
      earlier: async () => this.earlier,
    });
    this.#t.after(() => runner.stop());
    return runner;
  }

  async alert(facts: Partial<NewAlert> = {}): Promise<void> {
    const target = { url: 'http://receiver.example.com/', secret: 'whsec_AAAA' };
    const id = `alert_${facts.name ?? 'a'}`;
    await this.store.createAlert({ id, name: 'a', query: 'price=10:', on: 'both', format: 'json', target, ...facts });
  }

  /** The tickers of each message. */
  get changes(): string[] {
    const tickers = ({ rows }: { rows: { symbol: string }[] }) => rows.map(({ symbol }) => symbol).join(' ');
    return this.sent.map(({ body: { data } }) => `+${tickers(data.entered)} -${tickers(data.left)}`);
  }
}

/** Until what the round started has ended. */
async function round(runner: AlertRunner, next?: Snapshot): Promise<void> {
  if (next !== undefined) runner.take(next);
  await runner.run();
  await wait(20);
}

describe('alerts', () => {
  it('of another interval compare its listings, and wait for one that cannot be built', async t => {
    const scene = await Scene.make(t);
    await scene.alert({ query: 'interval=1h&price=10:' });
    const runner = scene.runner();
    scene.listing = snapshot(1, [1, 20, 30]);
    await round(runner, snapshot(1, [100, 100, 100]));
    scene.listing = null;
    await round(runner, snapshot(2, [1, 1, 1]));
    assert.deepEqual([scene.changes, runner.isUnfinished], [[], true]);
    scene.listing = snapshot(2, [11, 20, 3]);
    await round(runner);
    assert.deepEqual(scene.changes, ['+A1 -A3']);
  });

  it('in another quote compare its listings, and name the unit and the quote', async t => {
    const scene = await Scene.make(t);
    await scene.alert({ query: 'quote=a2&price=10:', format: 'slack' });
    const runner = scene.runner();
    scene.listing = snapshot(1, [1, 20, 30]);
    await round(runner, snapshot(1, [100, 100, 100]));
    scene.listing = snapshot(2, [11, 20, 3]);
    await round(runner, snapshot(2, [1, 1, 1]));
    const [sent] = scene.sent.map(({ body }) => JSON.stringify(body));
    assert.match(sent!, /\*A1\* price 11 A2/);
    assert.match(sent!, /quote=a2/);
  });

  it('report which assets entered and left, after a first evaluation that reports nothing', async t => {
    const scene = await Scene.make(t);
    await scene.alert();
    const runner = scene.runner();
    await round(runner, snapshot(1, [1, 20, 30]));
    await round(runner, snapshot(2, [11, 20, 3]));
    await round(runner, snapshot(3, [12, 21, 4]));
    // Gone from the listing.
    await round(runner, snapshot(4, [12, null, 4]));
    assert.deepEqual(scene.changes, ['+A1 -A3', '+ -A2']);
    const [first, second] = scene.sent.map(({ body }) => body.data);
    assert.deepEqual([first!.entered.rows[0]!.price, first!.left.rows[0]!.price], [11, 3]);
    assert.deepEqual(second!.left, { count: 1, rows: [{ symbol: 'A2' }] });
    assert.deepEqual(
      [first!.url, first!.screen_url],
      ['http://example.com/v1/crypto/ta-cur?price=10:', 'http://example.com/?where=price%20%3E%3D%2010'],
    );
    assert.equal((await scene.store.alerts())[0]!.waiting, 0);
  });

  it('are looked at every second only while a message of them is undelivered', async t => {
    const scene = await Scene.make(t);
    const runner = scene.runner();
    await round(runner, snapshot(1, [1]));
    assert.equal(runner.isUnfinished, false);
    await scene.alert();
    scene.status = 503;
    await round(runner);
    await round(runner, snapshot(2, [11]));
    assert.equal(runner.isUnfinished, true);
    await round(runner);
    assert.equal(runner.isUnfinished, true);
    scene.status = 204;
    scene.now += HOUR;
    await round(runner);
    await round(runner);
    assert.deepEqual([runner.isUnfinished, scene.changes], [false, ['+A1 -', '+A1 -']]);
    // One that does not hold the lock has nothing to deliver.
    scene.status = 503;
    await round(runner, snapshot(3, [1]));
    const other = scene.runner();
    await round(other, snapshot(3, [1]));
    assert.deepEqual([runner.isUnfinished, other.isUnfinished], [true, false]);
    await scene.store.setAlert('alert_a', { paused: true });
    await round(runner);
    assert.equal(runner.isUnfinished, false, 'a paused one delivers nothing');
  });

  it('are evaluated with a snapshot that comes during a round', async t => {
    const scene = await Scene.make(t);
    await scene.alert();
    const { store } = scene;
    let release = () => {};
    let held: Promise<void> | null = null;
    const runner = scene.runner({
      recordEvaluation: async evaluation => {
        await held;
        return store.recordEvaluation(evaluation);
      },
    });
    held = new Promise(resolve => {
      release = resolve;
    });
    runner.take(snapshot(1, [1]));
    const first = runner.run();
    await wait(10);
    runner.take(snapshot(2, [11]));
    const second = runner.run();
    release();
    await Promise.all([first, second]);
    await wait(20);
    assert.deepEqual(scene.changes, ['+A1 -']);
  });

  it('report one direction only where it is asked for', async t => {
    const scene = await Scene.make(t);
    await scene.alert({ name: 'in', on: 'enter' });
    await scene.alert({ name: 'out', on: 'leave' });
    const runner = scene.runner();
    await round(runner, snapshot(1, [1, 20]));
    await round(runner, snapshot(2, [10, 2]));
    assert.deepEqual(scene.changes.sort(), ['+ -A2', '+A1 -']);
  });

  it('with sort and limit compare the first rows, and a calc column is in the message', async t => {
    const scene = await Scene.make(t);
    await scene.alert({ query: 'sort=price&order=desc&limit=2&calc=twice:price*2&excl_cols=symbol' });
    const runner = scene.runner();
    await round(runner, snapshot(1, [1, 2, 3]));
    await round(runner, snapshot(2, [9, 2, 3]));
    assert.deepEqual(scene.changes, ['+A1 -A2']);
    assert.equal((scene.sent[0]!.body.data.entered.rows[0] as unknown as { twice: number }).twice, 18);
  });

  it('that need an optional column wait for a snapshot that has it', async t => {
    const scene = await Scene.make(t);
    await scene.alert({ query: 'price=10:&sort=ath&excl_cols=price' });
    const runner = scene.runner();
    const values = new Float64Array(INDICATORS.length);
    const rows = [row(1, { price: 20, values })];
    await round(runner, buildSnapshot({ version: 1, assets: [asset({ assetNumber: 1 })], rows, now: NOW }));
    assert.equal(scene.wanted, 1);
    await round(runner, snapshot(2, [20]));
    await round(runner, snapshot(3, [2]));
    assert.deepEqual([scene.wanted, scene.changes], [1, ['+ -A1']]);
    const [shown = assert.fail('no row')] = scene.sent[0]!.body.data.left.rows;
    assert.ok(shown.price === 2 && 'ath' in shown, 'a row has the price and the columns that the query names');
  });

  it('that read earlier days wait until these are computed', async t => {
    const scene = await Scene.make(t);
    await scene.alert({ query: 'where=price > 2 * lag(price, 1)&calc=before:lag(price, 1)' });
    const runner = scene.runner();
    const price = TA_CUR.columns.findIndex(({ name }) => name === 'price');
    const earlier = (...values: number[]) => new Map([[`${price} 1`, { values: Float64Array.from(values) }]]);
    scene.earlier = earlier(10, 10);
    await round(runner, snapshot(1, [11, 12]));
    scene.earlier = null;
    await round(runner, snapshot(2, [30, 12]));
    assert.deepEqual([scene.changes, runner.isUnfinished], [[], true]);
    scene.earlier = earlier(11, Number.NaN);
    await round(runner);
    assert.deepEqual([scene.changes, runner.isUnfinished], [['+A1 -'], true]);
    assert.equal((scene.sent[0]!.body.data.entered.rows[0] as { before?: number }).before, 11);
  });

  it('that are paused are not evaluated, and when resumed begin with what matches then', async t => {
    const scene = await Scene.make(t);
    await scene.alert();
    const runner = scene.runner();
    await round(runner, snapshot(1, [1]));
    await scene.store.setAlert('alert_a', { paused: true });
    await round(runner, snapshot(2, [10]));
    await scene.store.setAlert('alert_a', { paused: false });
    await round(runner, snapshot(3, [11]));
    await round(runner, snapshot(4, [1]));
    assert.deepEqual(scene.changes, ['+ -A1']);
  });

  it('report an asset that crosses the threshold again and again once per minimum time', async t => {
    const scene = await Scene.make(t);
    scene.againAfterMs = HOUR;
    await scene.alert();
    const runner = scene.runner();
    await round(runner, snapshot(1, [1, 1, 20]));
    let version = 2;
    for (let i = 0; i < 12; i++, scene.now += HOUR / 12) {
      await round(runner, snapshot(version++, [i % 2 === 0 ? 20 : 1, i < 6 ? 1 : 20, 20]));
    }
    // A1 is outside now; A2 entered in the meantime.
    assert.deepEqual(scene.changes, ['+A1 -', '+A2 -']);
    assert.deepEqual((await scene.store.alerts())[0]!.matching!.symbols, ['A2', 'A3']);
    await round(runner);
    assert.deepEqual(scene.changes, ['+A1 -', '+A2 -', '+ -A1'], 'the time is over: without another publication');
    // Back where the receiver believes it to be, it is not mentioned.
    await round(runner, snapshot(version++, [1, 1, 20]));
    await round(runner, snapshot(version++, [1, 20, 20]));
    scene.now += 2 * HOUR;
    await round(runner);
    assert.equal(scene.changes.length, 3);
    await round(runner, snapshot(version++, [20, 20, 20]));
    assert.equal(scene.changes.at(-1), '+A1 -');
  });

  it('remember the minimum time beyond a restart, and of one direction begin it with a message', async t => {
    const scene = await Scene.make(t);
    scene.againAfterMs = HOUR;
    await scene.alert({ on: 'enter' });
    const one = scene.runner();
    await round(one, snapshot(1, [20]));
    await round(one, snapshot(2, [1]));
    await round(one, snapshot(3, [20]));
    assert.deepEqual(scene.changes, ['+A1 -'], 'it left unreported, so that nothing delays the report that it entered');
    await one.stop();
    const other = scene.runner();
    await round(other, snapshot(4, [1]));
    await round(other, snapshot(5, [20]));
    assert.equal(scene.changes.length, 1);
    await round(other, snapshot(6, [1]));
    scene.now += HOUR;
    await round(other);
    await round(other, snapshot(7, [20]));
    assert.deepEqual(scene.changes, ['+A1 -', '+A1 -']);
  });

  it('show at most 20 rows and count the rest', async t => {
    const scene = await Scene.make(t);
    await scene.alert();
    const runner = scene.runner();
    await round(runner, snapshot(1, Array(30).fill(1)));
    await round(runner, snapshot(2, Array(30).fill(10)));
    const { entered } = scene.sent[0]!.body.data;
    assert.deepEqual([entered.count, entered.rows.length], [30, 20]);
  });

  it('whose receiver is down for some hours are delivered in the end, each message with one id', async t => {
    const scene = await Scene.make(t);
    await scene.alert();
    const runner = scene.runner();
    await round(runner, snapshot(1, [1]));
    scene.status = 503;
    await round(runner, snapshot(2, [10]));
    await round(runner, snapshot(3, [1]));
    const end = scene.now + 23 * HOUR;
    for (; scene.now < end; scene.now += HOUR / 4) await round(runner);
    const tried = scene.sent.length;
    assert.ok(tried > 40, `${tried} attempts`);
    assert.equal(new Set(scene.sent.map(({ id }) => id)).size, 2);
    scene.status = 200;
    scene.now += HOUR;
    await round(runner);
    assert.equal((await scene.store.alerts())[0]!.waiting, 0);
    assert.deepEqual(
      (await scene.store.deliveries(9)).map(({ state }) => state),
      ['delivered', 'delivered'],
    );
    assert.equal(new Set(scene.sent.map(({ id }) => id)).size, 2);
    const names = scene.events.map(({ event }) => event).filter(event => event !== 'alert_fired');
    assert.deepEqual(names, ['alert_undeliverable', 'alert_deliverable']);
  });

  it('whose receiver is down for a day are recorded as failed, and the next message is delivered', async t => {
    const scene = await Scene.make(t);
    await scene.alert();
    const runner = scene.runner();
    await round(runner, snapshot(1, [1]));
    scene.status = 500;
    await round(runner, snapshot(2, [10]));
    const end = scene.now + 25 * HOUR;
    for (; scene.now < end; scene.now += HOUR / 2) await round(runner);
    const [failed] = await scene.store.deliveries(9);
    assert.deepEqual([failed!.state, failed!.status, failed!.nextAt], ['failed', 500, null]);
    assert.ok(failed!.lastAt! - failed!.createdAt >= 24 * HOUR);
    assert.ok(scene.events.some(({ event }) => event === 'alert_delivery_failed'));
    scene.status = 200;
    await round(runner, snapshot(3, [1]));
    assert.equal((await scene.store.deliveries(9))[0]!.state, 'delivered');
  });

  it('that wait for a receiver are bounded, and the changes beyond are reported together', async t => {
    const scene = await Scene.make(t);
    await scene.alert();
    const runner = scene.runner();
    await round(runner, snapshot(1, [1, 1]));
    scene.status = 503;
    for (let i = 0; i < MAX_WAITING + 10; i++) {
      runner.take(snapshot(i + 2, [i % 2 === 0 ? 10 : 1, i < MAX_WAITING ? 1 : 10]));
      await runner.run();
    }
    await wait(20);
    assert.equal((await scene.store.alerts())[0]!.waiting, MAX_WAITING);
    scene.status = 200;
    scene.now += HOUR;
    await round(runner);
    while ((await scene.store.alerts())[0]!.waiting > 0) await round(runner);
    await round(runner);
    while ((await scene.store.alerts())[0]!.waiting > 0) await round(runner);
    assert.deepEqual(scene.changes.at(-1), '+A2 -');
    assert.deepEqual((await scene.store.alerts())[0]!.matching!.symbols, ['A2']);
  });

  it('are evaluated by one of two servers, and by the other once that has stopped', async t => {
    const scene = await Scene.make(t);
    await scene.alert();
    const [one, other] = [scene.runner(), scene.runner()];
    for (const version of [1, 2, 3]) {
      const next = snapshot(version, [version === 2 ? 10 : 1]);
      await Promise.all([round(one, next), round(other, next)]);
    }
    assert.deepEqual(scene.changes, ['+A1 -', '+ -A1']);
    await one.stop();
    await round(other, snapshot(4, [10]));
    assert.deepEqual(scene.changes.at(-1), '+A1 -');
  });

  it('that take long are evaluated less often, and nothing is lost', async t => {
    const scene = await Scene.make(t);
    await scene.alert();
    const { store } = scene;
    let reads = 0;
    const slow: Store['alerts'] = async () => {
      reads++;
      await wait(500);
      return store.alerts();
    };
    const runner = scene.runner({ alerts: slow }, 10);
    runner.take(snapshot(1, [1]));
    await runner.run();
    runner.take(snapshot(2, [11]));
    const before = reads;
    await runner.run();
    assert.equal(reads, before, 'it rests');
    for (const giveUp = performance.now() + 30_000; scene.changes.length === 0; await round(runner)) {
      assert.ok(performance.now() < giveUp);
    }
    assert.deepEqual(scene.changes, ['+A1 -']);
  });

  it('to a receiver that does not respond do not delay those to others', async t => {
    const scene = await Scene.make(t);
    const target = { url: SILENT, secret: 'whsec_AAAA' };
    for (let i = 0; i < 70; i++) await scene.alert({ name: `silent ${i}`, target });
    await scene.alert({ name: 'good' });
    const runner = scene.runner();
    await round(runner, snapshot(1, [1]));
    await round(runner, snapshot(2, [10]));
    assert.equal(scene.sent.length, 1);
    // Once it responds, nothing waits for another round.
    scene.silence.resolve();
    for (const giveUp = performance.now() + 20_000; scene.sent.length < 71; await wait(10)) {
      assert.ok(performance.now() < giveUp, `${scene.sent.length} messages`);
    }
  });

  it('that were delivered but not recorded are not sent again while the store cannot be written', async t => {
    const scene = await Scene.make(t);
    await scene.alert();
    let writes = false;
    const recordAttempt: Store['recordAttempt'] = async (id, attempt) => {
      if (!writes) throw new Error('the disk is full');
      await scene.store.recordAttempt(id, attempt);
    };
    const runner = scene.runner({ recordAttempt });
    await round(runner, snapshot(1, [1]));
    await round(runner, snapshot(2, [10]));
    for (let i = 0; i < 3; i++) await assert.rejects(round(runner), /full/);
    assert.equal(scene.sent.length, 1);
    writes = true;
    await round(runner);
    assert.equal((await scene.store.deliveries(9))[0]!.state, 'delivered');
    assert.equal(scene.sent.length, 1);
  });

  it('whose query an upgrade made invalid are reported once, and the others go on', async t => {
    const scene = await Scene.make(t);
    await scene.alert({ name: 'old', query: 'nosuchcolumn=1:' });
    await scene.alert();
    const runner = scene.runner();
    await round(runner, snapshot(1, [1]));
    await round(runner, snapshot(2, [10]));
    assert.deepEqual(scene.changes, ['+A1 -']);
    assert.equal(scene.events.filter(({ event }) => event === 'alert_invalid').length, 1);
  });
});
