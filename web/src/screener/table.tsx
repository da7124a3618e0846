// The table: only the rows in sight are in the document, however many there are.

import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { dataVersion } from '../new-data.ts';
import { narrow } from '../shell/narrow.ts';
import { assetOf, namesVersion } from './asset-names.ts';
import { trends } from './closes.ts';
import { ASSET_WIDTH, type TableColumn } from './columns.ts';
import { recentFindings } from './findings.ts';
import type { RowSource } from './row-source.ts';
import { currentList } from './saved.ts';
import { TableHead } from './table-head.tsx';
import { TableRow } from './table-row.tsx';
import { type Order, TREND, type View } from './view.ts';

/** As `--row` in the style sheet. */
const ROW_HEIGHT = 32;
/** Of the width of a column, on a phone. */
const NARROW_SHARE = 0.86;
/** Rows beyond the edge, so that a quick scroll meets rows and not a gap. */
const BEYOND = 8;

interface Props {
  readonly source: RowSource;
  readonly columns: readonly TableColumn[];
  readonly view: View;
  readonly onSort: (column: string, order: Order) => void;
  /** The rows from `first` to before `end` of the source: all of them, or one page. */
  readonly first: number;
  readonly end: number;
  /** Where it was scrolled to when it was left. */
  readonly scrollTop: number;
  readonly onScrolled: (scrollTop: number) => void;
}

export function Table({ source, columns, view, onSort, first, end, scrollTop, onScrolled }: Props) {
  const region = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(Math.floor(scrollTop / ROW_HEIGHT));
  const [height, setHeight] = useState(800);
  const [current, setCurrent] = useState(0);
  const focusWanted = useRef<number | null>(null);
  const count = Math.max(0, end - first);

  // Names and pages arrive while the table is shown.
  void source.version.value;
  void namesVersion.value;
  void trends.version.value;
  void recentFindings.version.value;
  const starred = new Set(currentList().symbols);
  const hasTrend = columns.some(({ name }) => name === TREND);

  const from = Math.max(0, Math.min(top, count) - BEYOND);
  const to = Math.min(count, top + Math.ceil(height / ROW_HEIGHT) + BEYOND);
  useEffect(() => source.want(first + from, first + to), [source, first, from, to]);
  const symbols = Array.from({ length: to - from }, (_, i) => source.row(first + from + i)?.symbol ?? '');
  const shown = symbols.filter(symbol => symbol !== '').join(',');
  useEffect(() => {
    const most = source.pageSize.value ?? 1;
    if (shown !== '' && hasTrend) trends.want(shown.split(','), view, most);
    if (shown !== '' && view.asOf === null) recentFindings.want(shown.split(','), null, most);
  }, [shown, hasTrend, view.asOf, view.interval, view.quote, dataVersion.value]);

  useLayoutEffect(() => {
    const element = region.current!;
    element.scrollTop = scrollTop;
    setCurrent(0);
    const observer = new ResizeObserver(() => setHeight(element.clientHeight));
    observer.observe(element);
    return () => observer.disconnect();
  }, [source, first]);

  function noteScrolled(): void {
    const element = region.current;
    // The browser tells of it a frame later, when the table may be gone.
    if (element === null) return;
    setTop(Math.floor(element.scrollTop / ROW_HEIGHT));
    onScrolled(element.scrollTop);
  }

  function moveTo(index: number): void {
    const target = Math.max(0, Math.min(count - 1, index));
    const element = region.current!;
    // The header covers the first row's height, and more.
    const seen = element.clientHeight - 2 * ROW_HEIGHT;
    const at = target * ROW_HEIGHT;
    if (at < element.scrollTop) element.scrollTop = at;
    else if (at > element.scrollTop + seen - ROW_HEIGHT) element.scrollTop = at - seen + ROW_HEIGHT;
    // At once: the next key may open the asset before the browser tells of it.
    noteScrolled();
    setCurrent(target);
    focusWanted.current = target;
    focusRow();
  }

  /** The keyboard's row gets the focus once it is in the document, which may be an answer later. */
  function focusRow(): void {
    if (focusWanted.current === null) return;
    const link = region.current?.querySelector<HTMLElement>(`a[data-index="${first + focusWanted.current}"]`);
    if (!link) return;
    focusWanted.current = null;
    link.focus({ preventScroll: true });
  }
  useEffect(focusRow);

  function onKeyDown(event: KeyboardEvent): void {
    if (event.target instanceof Element && event.target.closest('thead')) return;
    // When the focus comes from outside, it starts at the first visible row.
    const at = event.target === region.current ? top - 1 : current;
    const page = Math.max(1, Math.floor(height / ROW_HEIGHT) - 3);
    const goal = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      PageDown: at + page,
      PageUp: at - page,
      Home: 0,
      End: count - 1,
    }[event.key];
    if (goal === undefined) return;
    event.preventDefault();
    moveTo(goal);
  }

  const share = narrow.value ? NARROW_SHARE : 1;
  const width = columns.reduce((sum, column) => sum + column.width * share, narrow.value ? 0 : ASSET_WIDTH);
  return (
    <section
      ref={region}
      class="table-region"
      aria-label="Assets"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
      tabIndex={0}
      onScroll={noteScrolled}
      onPointerEnter={() => source.live.hold(true)}
      onPointerLeave={() => source.live.hold(false)}
      onFocusIn={() => source.live.hold(true)}
      onFocusOut={() => source.live.hold(false)}
      onKeyDown={onKeyDown}
    >
      <div style={{ paddingTop: `${from * ROW_HEIGHT}px`, paddingBottom: `${(count - to) * ROW_HEIGHT}px` }}>
        <table aria-rowcount={count + 1} style={{ width: `max(100%, ${width}px)` }}>
          <colgroup>
            <col class="asset-column" style={{ width: `${ASSET_WIDTH}px` }} />
            {columns.map(column => (
              <col key={column.name} style={{ width: `${column.width * share}px` }} />
            ))}
          </colgroup>
          <TableHead columns={columns} view={view} onSort={onSort} />
          <tbody>
            {Array.from({ length: to - from }, (_, i) => {
              const index = first + from + i;
              const row = source.row(index);
              return (
                <TableRow
                  key={index}
                  index={index}
                  row={row}
                  asset={row && assetOf(row.symbol)}
                  columns={columns}
                  closes={hasTrend && row ? trends.of(row.symbol) : undefined}
                  findings={row && view.asOf === null ? recentFindings.of(row.symbol) : undefined}
                  starred={row !== undefined && starred.has(row.symbol)}
                  current={index === first + current}
                />
              );
            })}
          </tbody>
        </table>
      </div>
    </section>
  );
}
