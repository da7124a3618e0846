// The topic of `events`: the latest publications, one event each.

import type { Steps } from '../common/steps.ts';
import type { Snapshot } from '../snapshot/table.ts';
import { everythingEvent, PUBLICATIONS_KEPT, type Publication, publicationEvent } from './publication.ts';
import type { Recipient, Topic } from './topic.ts';

interface KeptEvent extends Pick<Publication, 'version' | 'before'> {
  readonly bytes: Buffer;
}

export class PublicationTopic implements Topic {
  readonly subscribers = new Set<Recipient>();
  readonly listing = null;
  #snapshot: Snapshot | null = null;
  /** The oldest first. Each follows the one before. */
  #events: KeptEvent[] = [];
  #everything: Buffer | null = null;

  get version(): number {
    return this.#snapshot?.version ?? 0;
  }

  /** To be called before the snapshot of the newest one is shown. */
  add(publications: readonly Publication[]): void {
    for (const publication of publications) {
      const { version, before } = publication;
      if (before !== this.#events.at(-1)?.version) this.#events = [];
      this.#events.push({ version, before, bytes: publicationEvent(publication) });
    }
    this.#events = this.#events.slice(-PUBLICATIONS_KEPT);
  }

  since(version: number | null): Buffer | null {
    if (this.#snapshot === null || version === this.version) return null;
    const events = this.#events.filter(event => event.version <= this.version);
    const first = events.findIndex(({ before }) => before === version);
    if (first === events.length - 1 && first >= 0) return events[first]!.bytes;
    if (first >= 0) return Buffer.concat(events.slice(first).map(({ bytes }) => bytes));
    this.#everything ??= everythingEvent(this.#snapshot);
    return this.#everything;
  }

  *refresh(snapshot: Snapshot): Steps<void> {
    this.show(snapshot);
    yield;
  }

  show(snapshot: Snapshot): void {
    if (snapshot.version !== this.version) this.#everything = null;
    this.#snapshot = snapshot;
  }

  release(): void {}
}
