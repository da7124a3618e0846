// What is in doubt about the bars, and redenominations and migrations: datasets that are read from the store.

import { textColumn, timeColumn } from './catalogue.ts';
import type { Column } from './columns.ts';
import type { Dataset } from './datasets.ts';

/** Rows are of any interval: their times are minutes. */
const COMMON = {
  defaultSort: 'datetimeUTC',
  defaultOrder: 'desc',
  tieBreaker: 'id',
  ofOneAsset: false,
  hasEarlier: false,
  isStreamed: false,
  timesIn: '1m',
  extraParameters: ['from', 'to'],
} as const;

export const FINDINGS: Dataset<'findings', false> = {
  ...COMMON,
  name: 'findings',
  title: 'Findings',
  description:
    'What a careful analyst would doubt about the bars: one row per finding, the newest first. A finding never changes a number. ' +
    'Of each asset, interval and rule, the newest 200 are kept.',
  columns: [
    {
      ...timeColumn('datetimeUTC', 'Start of the period in doubt, of several the first, ISO 8601', false),
      label: 'Time',
      milliseconds: true,
    },
    textColumn('symbol', 'Ticker of the asset', false),
    textColumn('id', 'Slug `<symbol>-<name>` of the asset', false),
    textColumn('interval', 'Of the bars: `1d`, `1h` or `1m`', false),
    textColumn('rule', '`gap`, `stale`, `spike`, `shift`, `flat`, `volume`, `disagree` or `inconsistent`', false),
    number('value', 'The number in doubt: a price, a volume, or a count of periods or closes'),
    number('expected', 'What it would be without the doubt; of a count, the largest that is not in doubt'),
    textColumn('source', 'The source of the bars; null if the finding is about the served ones', true),
    textColumn('detail', 'What was found, in a sentence', false),
    textColumn('state', '`open`, `accepted` or `corrected`', false),
  ],
};

export const ACTIONS: Dataset<'actions', false> = {
  ...COMMON,
  name: 'actions',
  title: 'Redenominations and migrations',
  description:
    'One row per redenomination of an asset, and per asset that became another. Everything served is adjusted by them; ' +
    '`bars?adjusted=false` shows what the sources said.',
  columns: [
    {
      ...timeColumn('datetimeUTC', 'Start of the first UTC day in new units, ISO 8601', false),
      label: 'Day',
      milliseconds: true,
    },
    textColumn('symbol', 'Ticker of the asset', false),
    textColumn('id', 'Slug `<symbol>-<name>` of the asset', false),
    number('ratio', 'Old units per new one: earlier prices are multiplied by it, volumes divided'),
    textColumn('from_id', 'The asset that became this one; null for a redenomination', true),
    textColumn('reason', 'As it was entered', false),
  ],
};

function number(name: string, description: string): Column {
  return { name, kind: 'statistic', type: 'number', unit: null, nullable: false, description };
}
