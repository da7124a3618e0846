import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Publications } from '../../test/support/publications.ts';
import { PUBLICATIONS_KEPT, type Publication, publicationBetween } from './publication.ts';
import { PublicationTopic } from './publication-topic.ts';

/** What the events say that a client gets which has seen the version. */
function reportsOf(topic: PublicationTopic, seen: number | null): unknown[] {
  const text = topic.since(seen)?.toString() ?? '';
  return [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data!));
}

function publication(version: number, before = version - 1): Publication {
  return { version, before, newestDay: '2026-03-10', changed: 1, added: 0, removed: 0 };
}

describe('what a publication changed', () => {
  it('is the number of rows that are new, gone, or published again', () => {
    const market = new Publications({ A: 1, B: 2, C: 3 });
    const before = market.current;
    const after = market.next({ B: 5, D: 4 }, ['C']);
    const expected = { version: 2, before: 1, newestDay: '2026-03-10', changed: 1, added: 1, removed: 1 };
    assert.deepEqual(publicationBetween(before, after), expected);
  });
});

describe('the topic of publications', () => {
  const market = new Publications({ A: 1 });
  const first = market.current;
  const second = market.next({ A: 2 });
  const third = market.next({ A: 3 });

  it('has nothing to send before the first snapshot, and to a client that has seen the newest one', () => {
    const topic = new PublicationTopic();
    assert.equal(topic.since(null), null);
    topic.show(first);
    assert.equal(topic.since(1), null);
  });

  it('sends each publication that a client has missed, the oldest first', () => {
    const topic = new PublicationTopic();
    topic.show(first);
    topic.add([publication(2), publication(3)]);
    topic.show(third);
    const report = (version: number) => ({
      ...{ version, newest_day: '2026-03-10', all: false },
      ...{ changed: 1, added: 0, removed: 0 },
    });
    assert.deepEqual(reportsOf(topic, 1), [report(2), report(3)]);
    assert.deepEqual(reportsOf(topic, 2), [report(3)]);
  });

  it('says that everything changed to a client of which it does not know what it has seen', () => {
    const topic = new PublicationTopic();
    topic.add([publication(2), publication(3)]);
    topic.show(third);
    const everything = { version: 3, newest_day: '2026-03-10', all: true, changed: null, added: null, removed: null };
    assert.deepEqual(reportsOf(topic, null), [everything]);
    assert.deepEqual(reportsOf(topic, 77), [everything]);
  });

  it('does not report a publication whose snapshot is not shown yet', () => {
    const topic = new PublicationTopic();
    topic.add([publication(2), publication(3)]);
    topic.show(second);
    assert.deepEqual(
      reportsOf(topic, 1).map(report => (report as Publication).version),
      [2],
    );
  });

  it('forgets those before a gap, and all but the latest', () => {
    const topic = new PublicationTopic();
    topic.add([publication(1), publication(3, 2)]);
    topic.show(third);
    assert.equal((reportsOf(topic, 0)[0] as { all: boolean }).all, true);
    assert.equal((reportsOf(topic, 2)[0] as { all: boolean }).all, false);
    const many = new PublicationTopic();
    const oldest = -PUBLICATIONS_KEPT;
    many.add(Array.from({ length: PUBLICATIONS_KEPT + 4 }, (_, i) => publication(oldest + i)));
    many.show(third);
    assert.equal(reportsOf(many, 3 - PUBLICATIONS_KEPT).length, PUBLICATIONS_KEPT);
    assert.equal(reportsOf(many, 2 - PUBLICATIONS_KEPT).length, 1);
  });
});
