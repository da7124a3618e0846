// Rows by the tags and the type of their asset: for each tag and type the list of its rows, in shared memory, made once for all
// threads.

import { sharedCounts } from '../columns/shared-memory.ts';
import { numberTexts } from '../columns/text-numbers.ts';
import { allTexts, packTexts, textAt } from '../columns/texts.ts';
import type { ProfileFact, ProfileLookup, TextData } from '../table.ts';

/** Can be posted to another thread. */
export type ProfileIndexData = Readonly<Record<ProfileFact, FactIndexData>>;

export interface FactIndexData {
  /** The different tags or types, in upper case. */
  readonly values: TextData;
  /** One more than there are values: the rows of value i are `rows[starts[i] … starts[i + 1] - 1]`, ascending. */
  readonly starts: Uint32Array<SharedArrayBuffer>;
  readonly rows: Uint32Array<SharedArrayBuffer>;
}

/** A fact of each asset, which is one value, or several with commas between them. */
export interface FactTexts {
  /** By slot. */
  readonly texts: TextData;
  /** Of the rows. */
  readonly slots: Uint32Array;
  readonly several: boolean;
}

/** `textOf` gives a fact of all assets. */
export function factTexts(
  textOf: (fact: 'tags' | 'type') => TextData,
  slots: Uint32Array,
): Readonly<Record<ProfileFact, FactTexts>> {
  return {
    tag: { texts: textOf('tags'), slots, several: true },
    type: { texts: textOf('type'), slots, several: false },
  };
}

/** Few assets differ in all of their tags, so that what a text says is worked out once per text. */
export function factIndexData({ texts, slots, several }: FactTexts): FactIndexData {
  const { numbers, firstRows } = numberTexts(texts, slots);
  const lists = new Map<string, number[]>();
  const listOf = (value: string): number[] => {
    const list = lists.get(value) ?? [];
    lists.set(value, list);
    return list;
  };
  const listsOfText = firstRows.map(slot => {
    const text = (textAt(texts, slot) ?? '').toUpperCase();
    if (text === '') return [];
    return several ? [...new Set(text.split(','))].map(listOf) : [listOf(text)];
  });
  for (let row = 0; row < slots.length; row++) for (const list of listsOfText[numbers[slots[row]!]!]!) list.push(row);
  const starts = sharedCounts(lists.size + 1);
  const rows = sharedCounts([...lists.values()].reduce((sum, list) => sum + list.length, 0));
  for (const [i, list] of [...lists.values()].entries()) {
    rows.set(list, starts[i]);
    starts[i + 1] = starts[i]! + list.length;
  }
  return { values: packTexts([...lists.keys()]), starts, rows };
}

export class ProfileIndex implements ProfileLookup {
  readonly #data: ProfileIndexData;
  readonly #rows: number;

  constructor(data: ProfileIndexData, rows: number) {
    this.#data = data;
    this.#rows = rows;
  }

  values(fact: ProfileFact): string[] {
    return allTexts(this.#data[fact].values).map(value => value ?? '');
  }

  bitmap(fact: ProfileFact, wanted: readonly string[]): Int32Array {
    const { values, starts, rows } = this.#data[fact];
    const words = new Int32Array((this.#rows + 31) >>> 5);
    for (let i = 0; i < values.missing.length; i++) {
      if (!wanted.includes(textAt(values, i) ?? '')) continue;
      for (let at = starts[i]!; at < starts[i + 1]!; at++) words[rows[at]! >>> 5]! |= 1 << (rows[at]! & 31);
    }
    return words;
  }

  *counts(fact: ProfileFact, words: Int32Array): Generator<readonly [string, number], void, undefined> {
    const { values, starts, rows } = this.#data[fact];
    for (let i = 0; i < values.missing.length; i++) {
      let count = 0;
      for (let at = starts[i]!; at < starts[i + 1]!; at++) count += (words[rows[at]! >>> 5]! >>> (rows[at]! & 31)) & 1;
      yield [textAt(values, i) ?? '', count];
    }
  }
}
