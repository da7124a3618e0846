// The facts of assets as columns. A million objects would take several times the memory, and seconds of garbage collection.

import type { AssetFacts } from '../../store/store.ts';
import type { TextData } from '../table.ts';
import { gatherTexts, joinTexts, packTexts } from './texts.ts';

export const TEXT_FACTS = ['id', 'symbol', 'name', 'type', 'tags'] as const;
export type TextFact = (typeof TEXT_FACTS)[number];

export interface FactColumns {
  readonly assetNumbers: Uint32Array;
  readonly texts: Readonly<Record<TextFact, TextData>>;
  /** NaN for none. */
  readonly rank: Float64Array;
  readonly supply: Float64Array;
  /** 0 or 1. */
  readonly delisted: Uint8Array;
  readonly provisional: Uint8Array;
}

export function packFacts(assets: readonly AssetFacts[]): FactColumns {
  const columns = emptyColumns(assets.length);
  for (let i = 0; i < assets.length; i++) {
    const { assetNumber, rank, supply, delisted, provisional } = assets[i]!;
    columns.assetNumbers[i] = assetNumber;
    columns.rank[i] = rank ?? Number.NaN;
    columns.supply[i] = supply ?? Number.NaN;
    columns.delisted[i] = Number(delisted);
    columns.provisional[i] = Number(provisional);
  }
  return { ...columns, texts: byFact(fact => packTexts(assets.map(asset => asset[fact]))) };
}

/** The assets of all parts, one part after the other. */
export function joinFacts(parts: readonly FactColumns[]): FactColumns {
  const columns = emptyColumns(parts.reduce((sum, { assetNumbers }) => sum + assetNumbers.length, 0));
  let at = 0;
  for (const part of parts) {
    for (const name of NUMBER_FACTS) columns[name].set(part[name], at);
    at += part.assetNumbers.length;
  }
  return { ...columns, texts: byFact(fact => joinTexts(parts.map(({ texts }) => texts[fact]))) };
}

/** The assets at these places, in their order. */
export function gatherFacts(facts: FactColumns, places: Uint32Array): FactColumns {
  const columns = emptyColumns(places.length);
  for (const name of NUMBER_FACTS) {
    const [from, to] = [facts[name], columns[name]];
    for (let i = 0; i < places.length; i++) to[i] = from[places[i]!]!;
  }
  return { ...columns, texts: byFact(fact => gatherTexts(facts.texts[fact], places)) };
}

const NUMBER_FACTS = ['assetNumbers', 'rank', 'supply', 'delisted', 'provisional'] as const;

function emptyColumns(assets: number): Omit<FactColumns, 'texts'> {
  return {
    assetNumbers: new Uint32Array(assets),
    rank: new Float64Array(assets),
    supply: new Float64Array(assets),
    delisted: new Uint8Array(assets),
    provisional: new Uint8Array(assets),
  };
}

function byFact(make: (fact: TextFact) => TextData): Record<TextFact, TextData> {
  return { id: make('id'), symbol: make('symbol'), name: make('name'), type: make('type'), tags: make('tags') };
}
