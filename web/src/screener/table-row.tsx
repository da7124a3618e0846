// One row of the table.

import { Component } from 'preact';
import type { Cell } from '../api.ts';
import { columnLabel } from '../column-label.ts';
import { directionOf, NOTHING } from '../format.ts';
import { formatCell, hasDirection } from '../format-cell.ts';
import { assetAddress } from '../routes.ts';
import type { AssetRow } from './asset-names.ts';
import type { Closes } from './closes.ts';
import type { TableColumn } from './columns.ts';
import { rowBefore } from './live-feed.ts';
import type { Row } from './row.ts';
import { toggleStar } from './saved.ts';
import { Sparkline } from './sparkline.tsx';

export interface RowProps {
  readonly index: number;
  /** Undefined until its page has arrived. */
  readonly row: Row | undefined;
  readonly asset: AssetRow | undefined;
  readonly columns: readonly TableColumn[];
  /** Of the trend, if it is shown and known. */
  readonly closes: Closes | undefined;
  /** How many are open of the last 30 days; undefined: none, or not known yet. */
  readonly findings: number | undefined;
  /** It is in the watchlist. */
  readonly starred: boolean;
  /** The one that the keyboard is at. */
  readonly current: boolean;
}

const FACES = { up: '▲', down: '▼', flat: '' } as const;
/** Percent a year at which the bar behind a volatility is full. */
const FULL_BAR = 200;

/** A class, because scrolling asks hundreds of rows whether they have changed, and nearly all have not. */
export class TableRow extends Component<RowProps> {
  override shouldComponentUpdate(next: RowProps): boolean {
    const { row, asset, columns, closes, findings, starred, current, index } = this.props;
    return (
      row !== next.row ||
      asset !== next.asset ||
      columns !== next.columns ||
      closes !== next.closes ||
      findings !== next.findings ||
      starred !== next.starred ||
      current !== next.current ||
      index !== next.index
    );
  }

  override render({ index, row, asset, columns, closes, findings, starred, current }: RowProps) {
    return (
      <tr aria-rowindex={index + 2} class={current ? 'current' : undefined} onClick={openAsset}>
        <th scope="row">
          {row && findings !== undefined && (
            <FindingsMark address={assetAddress(asset?.id ?? row.symbol)} count={findings} current={current} />
          )}
          {row && <Star symbol={row.symbol} starred={starred} current={current} />}
          {row ? <AssetLink index={index} row={row} asset={asset} current={current} /> : <Blank />}
        </th>
        {columns.map(column => (row ? dataCell(column, row, closes) : blankCell(column)))}
      </tr>
    );
  }
}

/** A click anywhere in the row, unless it selects text, is a click on the link of its asset. */
function openAsset(event: MouseEvent): void {
  const row = event.currentTarget;
  if (!(row instanceof Element) || !(event.target instanceof Element)) return;
  if (event.target.closest('a, button') || getSelection()?.isCollapsed === false) return;
  row.querySelector('a[data-index]')?.dispatchEvent(new MouseEvent('click', event));
}

interface StarProps {
  readonly symbol: string;
  readonly starred: boolean;
  readonly current: boolean;
}

function Star({ symbol, starred, current }: StarProps) {
  return (
    <button
      type="button"
      class="star"
      aria-pressed={starred}
      aria-label={`${symbol} in the watchlist`}
      title={starred ? 'Remove from the watchlist' : 'Add to the watchlist'}
      tabIndex={current ? 0 : -1}
      onClick={() => toggleStar(symbol)}
    >
      {starred ? '★' : '☆'}
    </button>
  );
}

type LinkProps = { readonly row: Row } & Pick<RowProps, 'index' | 'asset' | 'current'>;

function AssetLink({ index, row, asset, current }: LinkProps) {
  return (
    <a href={assetAddress(asset?.id ?? row.symbol)} data-index={index} tabIndex={current ? 0 : -1}>
      <b>{row.symbol}</b> {asset && asset.name !== row.symbol && <span class="name">{asset.name}</span>}
      {asset?.is_new && <span class="badge">new</span>}
      {asset?.is_active === false && <span class="badge warn">inactive</span>}
    </a>
  );
}

interface MarkProps {
  readonly address: string;
  readonly count: number;
  readonly current: boolean;
}

/** Leads to the list of them on the page of the asset. It floats at the end of the cell, so it comes before a name that may be cut off. */
function FindingsMark({ address, count, current }: MarkProps) {
  const text = `${count} ${count === 1 ? 'finding' : 'findings'} in the bars of the last 30 days`;
  return (
    <a class="findings-mark" href={`${address}#findings`} title={text} aria-label={text} tabIndex={current ? 0 : -1}>
      !
    </a>
  );
}

/** Plain functions, since a component for every cell would cost more than the cell. */
function dataCell(column: TableColumn, row: Row, closes: Closes | undefined) {
  const { facts, name } = column;
  if (facts === null) {
    return (
      <td key={name}>
        <Sparkline closes={closes} />
      </td>
    );
  }
  const value = row[name];
  // A column just chosen, over rows that were fetched without it.
  if (value === undefined) return blankCell(column);
  const text = formatCell(facts, value);
  const before = rowBefore(row)?.[name];
  // What looks the same has not changed for the reader.
  const moved = before === undefined || formatCell(facts, before) === text ? '' : movedClass(before, value);
  const exact = typeof value === 'number' ? `${columnLabel(name)} ${value}` : undefined;
  if (hasDirection(facts)) {
    const direction = directionOf(typeof value === 'number' ? value : null);
    return (
      <td key={name} class={`${direction}${moved}`} title={exact}>
        {text}
        <span class="face" aria-hidden="true">
          {FACES[direction]}
        </span>
      </td>
    );
  }
  const isVolatility = facts.unit === 'percent per year';
  // The service has 0 for an asset with one or two closes, which is not calm but unknown.
  if (isVolatility && value === 0 && Number(row['history']) < 3) {
    return (
      <td key={name} title="A volatility needs three closes">
        {NOTHING}
      </td>
    );
  }
  const measured = isVolatility && typeof value === 'number';
  return (
    <td key={name} class={`${measured ? 'measured' : ''}${moved}` || undefined} title={exact}>
      {measured && bar(value / FULL_BAR)}
      {text}
    </td>
  );
}

/** Two names, so that a second change starts the highlight anew. */
let turn = false;

function movedClass(before: Cell, value: Cell): string {
  if (typeof before !== 'number' || typeof value !== 'number') return '';
  turn = !turn;
  return ` moved-${value > before ? 'up' : 'down'}${turn ? '' : '-again'}`;
}

function bar(share: number) {
  return <span class="bar" aria-hidden="true" style={{ width: `${Math.min(100, share * 100).toFixed(1)}%` }} />;
}

function blankCell({ name }: TableColumn) {
  return (
    <td key={name}>
      <Blank />
    </td>
  );
}

function Blank() {
  return <span class="blank" aria-hidden="true" />;
}
