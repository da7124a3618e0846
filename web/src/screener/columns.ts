// The columns that the table can show: those of the catalogue, and the trend, which is drawn from them.

import type { ColumnFacts } from '../catalog.ts';
import { columnLabel } from '../column-label.ts';
import { inPeriods, isFine, labelIn, shownInterval } from '../interval.ts';
import { unitInQuote } from '../quote.ts';
import { type Computed, TREND } from './view.ts';

export interface TableColumn {
  readonly name: string;
  readonly label: string;
  /** A currency, beside the label. */
  readonly unit: string | null;
  /** Of the header. */
  readonly tooltip: string;
  /** Null for the trend. */
  readonly facts: ColumnFacts | null;
  /** Pixels. */
  readonly width: number;
}

export const ASSET_WIDTH = 200;

function trendColumn(): TableColumn {
  const { value: interval } = shownInterval;
  const tooltip = inPeriods('The closes of the last 90 days; each row has its own scale', interval);
  return { name: TREND, label: labelIn('Trend 90d', interval), unit: null, tooltip, facts: null, width: 116 };
}

const NO_FACTS: ColumnFacts = { name: '', type: 'number', unit: null, nullable: true, description: '' };

const NARROW = 60;
const WIDTHS: Readonly<Record<string, number>> = { percent: 112, 'percent per year': 120, USD: 108, 'USD²': 116 };

export function tableColumns(catalogue: readonly ColumnFacts[], computed: readonly Computed[]): readonly TableColumn[] {
  const columns = catalogue
    .filter(facts => facts.name !== 'symbol')
    .map(facts => ({
      name: facts.name,
      label: columnLabel(facts.name),
      unit: currencyOf(facts),
      tooltip: [facts.description, facts.formula].filter(Boolean).join('. Formula: '),
      facts,
      width: widthOf(facts),
    }));
  const price = columns.findIndex(column => column.name === 'price');
  return [
    ...columns.toSpliced(price + 1, 0, trendColumn() as (typeof columns)[number]),
    ...computed.map(computedColumn),
  ];
}

function computedColumn({ name, expression }: Computed): TableColumn {
  const facts: ColumnFacts = { ...NO_FACTS, name, formula: expression };
  return { name, label: name, unit: null, tooltip: `Formula: ${expression}`, facts, width: 112 };
}

function currencyOf({ unit }: ColumnFacts): string | null {
  return unit?.startsWith('USD') ? unitInQuote(unit) : null;
}

/** Pixels per character of a header, and beside it for the arrow of the order and the padding. */
const CHARACTER = 7;
const BESIDE = 32;

/** `2026-11-17 14:00`. */
const TIME_WIDTH = 156;

function widthOf(facts: ColumnFacts): number {
  const isTime = facts.name === 'datetimeUTC' || facts.name.endsWith('_at');
  const other = isTime && isFine(shownInterval.value) ? TIME_WIDTH : 100;
  const usual = facts.type === 'integer' ? NARROW : (WIDTHS[facts.unit ?? ''] ?? other);
  const header = [columnLabel(facts.name), currencyOf(facts)].filter(each => each !== null).join(' ');
  return Math.max(usual, header.length * CHARACTER + BESIDE);
}

/** Of the columns that the settings file of the service defines. */
export const OWN_GROUP = 'own';

export interface ColumnGroup {
  readonly title: string;
  readonly columns: readonly TableColumn[];
}

/** Columns that differ in their window only stand together, and the optional ones by their group. */
export function columnGroups(columns: readonly TableColumn[]): readonly ColumnGroup[] {
  const groups = Map.groupBy(columns, ({ facts }) => capitalised(facts?.group) ?? facts?.family ?? 'Price and day');
  return [...groups].map(([title, members]) => ({ title, columns: members }));
}

function capitalised(group: string | undefined): string | undefined {
  if (group === OWN_GROUP) return 'Own columns of this service';
  return group && group.slice(0, 1).toUpperCase() + group.slice(1);
}
