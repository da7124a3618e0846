// A few sentences about a simulated asset, which always say that it is simulated.

import { isoFromDay } from '../../domain/day.ts';
import type { Facts } from './facts.ts';
import { hash, Random } from './random.ts';
import type { DemoAsset } from './universe.ts';

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

const DISCLAIMERS = [
  'Everything about it, from its prices to its people, is invented for the demo.',
  'It exists in the demo only: its prices, people and links are invented.',
  'None of this is real: the demo made up its prices, its people and its links.',
];

export function descriptionOf(asset: DemoAsset, facts: Facts, ended: boolean): string {
  const random = new Random(hash(asset.seed, 2));
  return [
    `${asset.name} (${asset.symbol}) is a simulated ${asset.sector.noun} that ${facts.purpose}.`,
    securitySentence(asset, facts),
    startSentence(facts, random),
    ended && asset.ends !== null ? `Its market closed on ${isoFromDay(asset.ends)}.` : null,
    random.pick(DISCLAIMERS),
  ]
    .filter(sentence => sentence !== null)
    .join(' ');
}

function securitySentence(asset: DemoAsset, { security }: Facts): string {
  switch (security.kind) {
    case 'work':
      return `Its blocks are mined with ${security.algorithm}, one every ${counted(security.minutes, 'minute')}.`;
    case 'stake':
      return security.delegated
        ? `Holders elect ${security.validators} delegates, who seal a block every ${counted(security.seconds, 'second')}.`
        : `About ${security.validators} validators stake their coins and seal a block every ${counted(security.seconds, 'second')}.`;
    case 'token':
      return `It is a token on ${security.network.name}, with a supply of ${inWords(asset.supply)}.`;
  }
}

function startSentence({ started, publicSale }: Facts, random: Random): string | null {
  if (started === null) return publicSale ? 'It was first sold to the public at a fixed price.' : null;
  const [year, month] = isoFromDay(started).split('-');
  const when = `${MONTHS[Number(month) - 1]} ${year}`;
  if (publicSale) return `A public sale in ${when} paid for the first two years of work.`;
  return random.pick([
    `It began in ${when} without a sale.`,
    `Work on it began in ${when}.`,
    `It was first published in ${when} by a handful of volunteers.`,
  ]);
}

function counted(count: number, unit: string): string {
  return count === 1 ? unit : `${count} ${unit}s`;
}

/** 123400000 is `123 million`. */
function inWords(count: number): string {
  const [size, word] = SIZES.find(([least]) => count >= least) ?? [1, ''];
  const scaled = count / size;
  return `${scaled < 10 ? Math.round(scaled * 10) / 10 : Math.round(scaled)} ${word}`.trim();
}

const SIZES = [
  [1e15, 'quadrillion'],
  [1e12, 'trillion'],
  [1e9, 'billion'],
  [1e6, 'million'],
  [1e3, 'thousand'],
] as const;
