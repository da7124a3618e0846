// Invented names and tickers, each given once: whoever asks in the same order gets the same ones.

import type { Random } from './random.ts';
import { isReservedName, isReservedTicker } from './reserved.ts';
import type { NameStyle, Sector } from './sectors.ts';
import { ANIMALS, ENDS, FIRST_WORDS, MOODS, SECOND_WORDS, STEMS } from './words.ts';

export class Namer {
  readonly #names = new Set<string>();
  readonly #tickers = new Set<string>();

  /** Keeps a name and ticker chosen by hand from being given again. */
  take(name: string, ticker: string): void {
    this.#names.add(firstWords(name));
    this.#tickers.add(ticker);
  }

  name(sector: Sector, random: Random): string {
    for (let tries = 0; ; tries++) {
      // Once the short names run out, names get another word.
      const name = tries < 50 ? composed(sector, random) : `${random.pick(FIRST_WORDS)} ${composed(sector, random)}`;
      const key = tries < 50 ? firstWords(name) : name;
      if (this.#names.has(key) || isReservedName(name)) continue;
      this.#names.add(key);
      return name;
    }
  }

  ticker(name: string, random: Random): string {
    const candidates = tickersFor(name);
    const preferred = random.pickSome(candidates.slice(0, 4), 4);
    const ticker =
      [...preferred, ...candidates].find(candidate => this.#isFree(candidate)) ?? this.#anyTicker(name, random);
    this.#tickers.add(ticker);
    return ticker;
  }

  #anyTicker(name: string, random: Random): string {
    const letters = [...lettersOf(name)];
    for (let length = 4; ; length++) {
      for (let tries = 0; tries < 20; tries++) {
        const ticker = letters[0] + Array.from({ length: length - 1 }, () => random.pick(letters)).join('');
        if (this.#isFree(ticker)) return ticker;
      }
    }
  }

  #isFree(ticker: string): boolean {
    return ticker.length >= 3 && !this.#tickers.has(ticker) && !isReservedTicker(ticker);
  }
}

/** `Kestara Swap` and `Kestara Vault` would look related: a coined word is used once. Plain words need both to be told apart. */
function firstWords(name: string): string {
  const [first = '', second = ''] = name.split(' ');
  return FIRST_WORDS.includes(first) || MOODS.includes(first) ? `${first} ${second}` : first;
}

function composed(sector: Sector, random: Random): string {
  return COMPOSERS[random.pick(sector.styles)](sector, random);
}

const COMPOSERS: Readonly<Record<NameStyle, (sector: Sector, random: Random) => string>> = {
  coined: (_sector, random) => coined(random),
  'coined-with-word': (sector, random) => `${coined(random)} ${random.pick(sector.words)}`,
  'two-words': (sector, random) => twoWords(sector, random),
  animal: (sector, random) => animal(sector, random),
};

function coined(random: Random): string {
  return random.pick(STEMS) + random.pick(ENDS);
}

function twoWords(sector: Sector, random: Random): string {
  const first = random.pick(FIRST_WORDS);
  return `${first} ${random.chance(0.75) ? random.pick(SECOND_WORDS) : random.pick(sector.words)}`;
}

function animal(sector: Sector, random: Random): string {
  const name = `${random.pick(MOODS)} ${random.pick(ANIMALS)}`;
  return random.chance(0.2) ? `${name} ${random.pick(sector.words)}` : name;
}

/** Tickers that a reader recognises the name in, the most natural first. */
function tickersFor(name: string): string[] {
  const words = name.split(' ').map(lettersOf);
  const [first = '', second = ''] = words;
  const skeleton = first.charAt(0) + first.slice(1).replace(/[AEIOU]/g, '');
  if (words.length === 1) {
    return [
      first.slice(0, 4),
      skeleton.slice(0, 4),
      first.slice(0, 3),
      skeleton.slice(0, 3),
      first.slice(0, 5),
      skeleton.slice(0, 5),
    ];
  }
  const secondSkeleton = second.charAt(0) + second.slice(1).replace(/[AEIOU]/g, '');
  return [
    first.slice(0, 2) + second.slice(0, 2),
    skeleton.slice(0, 3) + second.charAt(0),
    first.charAt(0) + secondSkeleton.slice(0, 3),
    skeleton.slice(0, 2) + secondSkeleton.slice(0, 2),
    first.slice(0, 3) + second.charAt(0),
    first.slice(0, 1) + second.slice(0, 3),
    first.slice(0, 3) + second.slice(0, 2),
    first.slice(0, 4) + second.charAt(0),
  ];
}

function lettersOf(text: string): string {
  return text.toUpperCase().replace(/[^A-Z]/g, '');
}

/** A name as the links of the asset spell it: in a-z and 0-9. */
export function hostOf(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}
