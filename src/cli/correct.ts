// `tidemark correct`: enters a bar that precedes those of all sources, or says that a period has none. What the sources said stays stored.

import { BASE_INTERVALS, type BaseInterval, lastPeriodOfTime, parseTime, periodOfMillis } from '../domain/interval.ts';
import { periodText } from '../domain/period-text.ts';
import { isPrice, MAX_PRICE, MIN_PRICE } from '../domain/price.ts';
import { withStore } from './actions.ts';
import { type Command, type Invocation, UsageError } from './command.ts';
import { onlyAsset } from './named-asset.ts';
import { storeFlag } from './program.ts';
import { published, REASON, reasonOf } from './review-work.ts';

const PRICES = ['open', 'high', 'low', 'close'] as const;

/** What a correction of a bar does not change. */
const UNCHANGED: Readonly<Record<BaseInterval, string>> = {
  '1m': '\nthe hour and the day that were made of it stay as they are: correct them too',
  '1h': '\nthe day that was made of it stays as it is: correct it too',
  '1d': '',
};

type Numbers = Readonly<Record<(typeof PRICES)[number] | 'volume', number | null>>;

export const correct: Command = {
  name: 'correct',
  summary: 'Correct a bar, or remove it from what is served',
  usage: [
    '--asset ASSET --period DAY --close X [--open X] [--high X] [--low X] [--volume X] --reason TEXT',
    '--asset ASSET --period DAY --drop --reason TEXT',
  ],
  maxArgs: 0,
  settings: ['store'],
  options: {
    asset: { placeholder: 'ASSET', doc: 'The asset, by its id, or by its ticker if no other asset has it' },
    period: {
      placeholder: 'TIME',
      doc: 'The day of the bar, such as 2024-03-01, or the start of an hour or minute: 2024-03-01T05:00',
    },
    interval: { placeholder: BASE_INTERVALS.join('|'), doc: 'Of the bar (default: 1d)' },
    ...Object.fromEntries(
      [...PRICES, 'volume'].map(name => [name, { placeholder: 'X', doc: `The ${name} of the bar` }]),
    ),
    drop: { doc: 'The period has no bar' },
    reason: REASON,
  },
  about: `
Everything that is served is computed again with the corrected bar, and published. No bar of a source is changed: 'tidemark corrections'
lists the corrections, and 'tidemark corrections undo N' takes one back. A corrected hour does not change the day that was made of it, nor a
corrected minute its hour and day: correct these too.`,
  async run(invocation) {
    const { config, options, output } = invocation;
    const interval = intervalOf(options['interval']);
    const period = periodOf(interval, options['period']);
    const numbers = numbersOf(invocation);
    const reason = reasonOf(invocation);
    const name = options['asset'];
    if (typeof name !== 'string') throw new UsageError('--asset is missing, such as --asset btc-bitcoin');
    return withStore(config.store, false, async store => {
      const { assetNumber, id } = onlyAsset(await store.assets(), name, config.store);
      const { result: number, recomputed } = await published(
        store,
        () => store.addCorrection({ assetNumber, interval, period, ...numbers, reason }),
        [assetNumber],
      );
      const { version } = recomputed;
      const what = numbers.close === null ? 'has no bar' : `closes at ${numbers.close}`;
      const undo = `'tidemark corrections undo ${number}${storeFlag(config.store)}' takes it back`;
      const text = `correction ${number}: ${id} ${what} on ${periodText(interval, period)}, version ${version} published; ${undo}`;
      output.print(output.json ? JSON.stringify({ correction: number, version }) : text + UNCHANGED[interval]);
      return 0;
    });
  },
};

function intervalOf(option: unknown): BaseInterval {
  if (option === undefined) return '1d';
  const interval = BASE_INTERVALS.find(each => each === option);
  if (interval === undefined) throw new UsageError(`--interval: expected one of ${BASE_INTERVALS.join(', ')}`);
  return interval;
}

function periodOf(interval: BaseInterval, option: unknown): number {
  const example = interval === '1d' ? '2024-03-01' : '2024-03-01T05:00';
  if (typeof option !== 'string') throw new UsageError(`--period is missing, such as --period ${example}`);
  const time = parseTime(option);
  const period = time === null || time.isDay !== (interval === '1d') ? null : lastPeriodOfTime(interval, time);
  if (period === null) {
    const fit = time === null ? '' : time.isDay ? `; a day needs --interval 1d` : `; a time needs --interval 1h or 1m`;
    throw new UsageError(`--period: expected ${example}, got ${JSON.stringify(option)}${fit}`);
  }
  const now = periodOfMillis(interval, Date.now());
  // A close of the future would make all other assets inactive.
  if (now !== null && period > now) {
    throw new UsageError(
      `--period: ${periodText(interval, period)} has not begun; it is ${periodText(interval, now)} (UTC)`,
    );
  }
  return period;
}

function numbersOf({ options }: Invocation): Numbers {
  const given = [...PRICES, 'volume'].filter(name => options[name] !== undefined);
  if (options['drop'] === true) {
    if (given.length > 0) throw new UsageError(`--drop removes the bar: remove --${given[0]} or --drop`);
    return { open: null, high: null, low: null, close: null, volume: null };
  }
  const price = (name: (typeof PRICES)[number]) => {
    const value = numberOf(options[name], name);
    if (value !== null && !isPrice(value))
      throw new UsageError(`--${name}: expected a price from ${MIN_PRICE} to ${MAX_PRICE}`);
    return value;
  };
  const numbers = {
    open: price('open'),
    high: price('high'),
    low: price('low'),
    close: price('close'),
    volume: numberOf(options['volume'], 'volume'),
  };
  if (numbers.close === null) throw new UsageError('--close is missing: give the right close, or --drop');
  if (numbers.volume !== null && numbers.volume < 0) throw new UsageError('--volume: expected a number from 0');
  const [top, bottom] = [
    Math.max(numbers.open ?? 0, numbers.close),
    Math.min(numbers.open ?? numbers.close, numbers.close),
  ];
  if (numbers.high !== null && numbers.high < Math.max(top, numbers.low ?? 0))
    throw new UsageError('--high is below another price of the bar');
  if (numbers.low !== null && numbers.low > bottom) throw new UsageError('--low is above another price of the bar');
  return numbers;
}

function numberOf(option: unknown, name: string): number | null {
  if (option === undefined) return null;
  const value = typeof option === 'string' && option.trim() !== '' ? Number(option) : Number.NaN;
  if (!Number.isFinite(value)) throw new UsageError(`--${name}: expected a number, got ${JSON.stringify(option)}`);
  return value;
}
