import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { Publications } from '../../test/support/publications.ts';
import { StreamPlaces } from '../access/stream-places.ts';
import { ByteCache } from '../common/byte-cache.ts';
import { finish } from '../common/steps.ts';
import { TA_CUR } from '../domain/datasets.ts';
import { ApiError } from '../errors.ts';
import type { OpenStream } from '../http/wire/answer.ts';
import { parsePlan } from '../query/parse/parse-plan.ts';
import type { Snapshot } from '../snapshot/table.ts';
import { publicationBetween } from './publication.ts';
import { QueryTopic } from './query-topic.ts';
import { Streams, type StreamsOptions } from './streams.ts';

/** A connection that takes everything at once, or nothing until `read` is called. */
class Connection {
  isOpen = true;
  isSlow = false;
  isCut = false;
  readonly texts: string[] = [];
  #onSent: (() => void) | null = null;

  write(bytes: Buffer, onSent: () => void): number {
    this.texts.push(bytes.toString());
    if (!this.isSlow) return 0;
    this.#onSent = onSent;
    return bytes.length;
  }

  end(bytes: Buffer): void {
    this.texts.push(bytes.toString());
    this.isOpen = false;
  }

  cut(): void {
    this.isCut = true;
    this.isOpen = false;
  }

  read(): void {
    this.isSlow = false;
    this.#onSent?.();
  }

  /** Names of the events, and `:` for a comment. */
  get events(): string[] {
    return this.texts.map(text => /^event: (\w+)/.exec(text)?.[1] ?? text.trim());
  }
}

const opened: OpenStream[] = [];
afterEach(() => {
  for (const { closed } of opened.splice(0)) closed();
});

const CLIENT = { key: 'key', place: 1, limit: 10 };

class Service {
  readonly market = new Publications({ A: 1, B: 2 });
  readonly streams: Streams;

  constructor(options: Partial<StreamsOptions> = {}) {
    this.streams = new Streams({ places: new StreamPlaces(), ...options });
    this.streams.publish(this.market.current, []);
  }

  openPublications(client = CLIENT, seen: number | null = 1): Connection {
    const connection = new Connection();
    const stream = this.streams.openPublications(client, seen, connection);
    opened.push(stream);
    stream.begin();
    return connection;
  }

  openQuery(query: string, client = CLIENT): Connection {
    const connection = new Connection();
    const topic = this.streams.topicOf(query) ?? this.topicOf(query);
    const stream = this.streams.openQuery(query, topic, client, connection);
    opened.push(stream);
    stream.begin();
    return connection;
  }

  topicOf(query: string, snapshot: Snapshot = this.market.current): QueryTopic {
    return finish(QueryTopic.create(parsePlan(TA_CUR, query), 10, snapshot, new ByteCache(1e6)));
  }

  /** Until the client has one event more: deliveries are made in slices, with pauses. */
  async publish(price: number, client: Connection): Promise<void> {
    const events = client.texts.length;
    const before = this.market.current;
    const after = this.market.next({ A: price });
    this.streams.publish(after, [publicationBetween(before, after)]);
    await until(() => client.texts.length > events);
  }
}

async function until(isTrue: () => boolean): Promise<void> {
  for (let i = 0; !isTrue() && i < 5000; i++) await new Promise(resolve => setTimeout(resolve, 1));
  assert.ok(isTrue());
}

describe('the streams of a thread', () => {
  it('send each client the rows first, then one event per publication', async () => {
    const service = new Service();
    const [listing, publications] = [service.openQuery('sort=price'), service.openPublications()];
    assert.deepEqual([listing.events, publications.events], [['rows'], [':']]);
    await service.publish(5, listing);
    await service.publish(6, listing);
    assert.deepEqual(listing.events, ['rows', 'changes', 'changes']);
    assert.deepEqual(publications.events, [':', 'publication', 'publication']);
  });

  it('send clients of one query the same bytes, and drop the query with its last client', async () => {
    const service = new Service();
    const [one, other] = [service.openQuery('sort=price'), service.openQuery('sort=price')];
    await service.publish(5, other);
    assert.deepEqual(one.texts, other.texts);
    opened[0]!.closed();
    assert.notEqual(service.streams.topicOf('sort=price'), null);
    opened[1]!.closed();
    opened.length = 0;
    assert.equal(service.streams.topicOf('sort=price'), null);
    assert.equal(service.streams.open, 0);
  });

  it('send a client whose topic is older than the newest publication what it has missed', async () => {
    const service = new Service();
    const topic = service.topicOf('sort=price');
    await service.publish(5, service.openPublications());
    const connection = new Connection();
    const stream = service.streams.openQuery('sort=price', topic, CLIENT, connection);
    opened.push(stream);
    stream.begin();
    await until(() => connection.texts.length > 1);
    assert.deepEqual(connection.events, ['rows', 'changes']);
  });

  it('keep a slow client waiting, and then send it the newest state in one event', async () => {
    const service = new Service();
    const [slow, fast] = [service.openQuery('sort=price'), service.openQuery('sort=price')];
    slow.isSlow = true;
    for (const price of [5, 6, 7]) await service.publish(price, fast);
    assert.deepEqual(slow.events, ['rows', 'changes']);
    assert.equal(service.streams.pendingBytes, slow.texts[1]!.length);
    slow.read();
    assert.deepEqual(slow.events, ['rows', 'changes', 'rows']);
    assert.match(slow.texts[2]!, /"version":4,.*"price":7/);
    assert.equal(service.streams.pendingBytes, 0);
  });

  it('close the connection of a client that does not read, beyond the bound of all', async () => {
    const service = new Service({ maxPendingBytes: 10 });
    const slow = service.openQuery('sort=price');
    slow.isSlow = true;
    await service.publish(5, slow);
    assert.ok(slow.isCut);
  });

  it('report an update that fails, and go on with the next one', async () => {
    const failures: unknown[] = [];
    const service = new Service({ onFailure: error => failures.push(error) });
    const topic = service.topicOf('sort=price');
    const error = new Error('cannot be made');
    topic.refresh = function* () {
      yield;
      throw error;
    };
    const stream = service.streams.openQuery('sort=price', topic, CLIENT, new Connection());
    opened.push(stream);
    const publications = service.openPublications();
    await service.publish(5, publications);
    await until(() => failures.length === 1);
    await service.publish(6, publications);
    await until(() => failures.length === 2);
    assert.deepEqual(failures, [error, error]);
    assert.deepEqual(publications.events, [':', 'publication', 'publication']);
  });
});

describe('the limits of streams', () => {
  const isRefused = (error: unknown) => error instanceof ApiError && error.code === 'too_many_streams';

  it('are those of the client, divided among the servers but at least one, and a closed stream makes room', () => {
    const service = new Service({ servers: () => 3 });
    const client = { ...CLIENT, limit: 7 };
    service.openPublications(client);
    service.openQuery('sort=price', client);
    assert.throws(() => service.openPublications(client), isRefused);
    opened.shift()!.closed();
    service.openPublications(client);
    const single = { ...CLIENT, place: 2, limit: 1 };
    service.openPublications(single);
    assert.throws(() => service.openPublications(single), isRefused);
  });

  it('count different queries per client', () => {
    const service = new Service();
    const client = { ...CLIENT, limit: 1000 };
    for (let i = 1; i <= 64; i++) service.openQuery(`price=${i}:`, client);
    assert.throws(() => service.openQuery('price=65:', client), isRefused);
    service.openQuery('price=64:', client);
    service.openQuery('price=65:', { ...client, place: 2 });
    assert.equal(service.streams.open, 66);
  });
});

describe('a stream ends', () => {
  it('with a goodbye when its API key is no longer accepted', () => {
    const service = new Service({ refusalOf: key => (key === 'revoked' ? 'revoked_key' : null) });
    const [kept, ended] = [service.openPublications(), service.openPublications({ ...CLIENT, key: 'revoked' })];
    service.streams.checkKeys();
    assert.deepEqual([kept.isOpen, ended.isOpen], [true, false]);
    assert.equal(ended.texts.at(-1), 'event: goodbye\ndata: {"reason":"revoked_key"}\n\n');
  });

  it('with a goodbye and a time to wait when the server stops, also if it is opened later', () => {
    const service = new Service();
    const early = service.openPublications();
    service.streams.stop();
    const late = service.openQuery('sort=price');
    assert.deepEqual([early.isOpen, late.isOpen], [false, false]);
    for (const { texts } of [early, late]) {
      const [, retry] = /^event: goodbye\nretry: (\d+)\ndata: {"reason":"stopping"}\n\n$/.exec(texts.at(-1)!) ?? [];
      assert.ok(Number(retry) >= 500 && Number(retry) <= 3500, texts.at(-1));
    }
    assert.deepEqual(late.events, ['rows', 'goodbye']);
  });
});

describe('a silent stream', () => {
  it('gets comments, unless its client still reads', async () => {
    const service = new Service({ silentMs: 1, checkMs: 5 });
    const [silent, slow] = [service.openPublications(), service.openPublications()];
    slow.isSlow = true;
    await until(() => silent.texts.length > 5);
    assert.ok(silent.texts.every(text => text === ':\n\n'));
    assert.equal(slow.texts.length, 2);
  });
});
