// The table with what surrounds it: how many rows there are, pages where the tier is small, what went wrong.

import { useMemo, useRef } from 'preact/hooks';
import { waitingUntil } from '../api.ts';
import { columnLabel } from '../column-label.ts';
import { formatCount } from '../format.ts';
import { assetAddress } from '../routes.ts';
import { BeforeData } from '../shell/before-data.tsx';
import { Loading } from '../shell/loading.tsx';
import { ProblemNotice } from '../shell/problem-notice.tsx';
import type { AssetRow } from './asset-names.ts';
import type { TableColumn } from './columns.ts';
import { DataDay } from './data-day.tsx';
import { expressionProblem, FEWEST_TO_SCROLL, type RowSource } from './row-source.ts';
import { Table } from './table.tsx';
import type { Order, View } from './view.ts';

interface Props {
  readonly source: RowSource;
  readonly columns: readonly TableColumn[];
  readonly view: View;
  readonly onSort: (column: string, order: Order) => void;
  readonly onPage: (page: number) => void;
  readonly onRetry: () => void;
  readonly scrollTop: number;
  readonly onScrolled: (scrollTop: number) => void;
}

export function ScreenerTable(props: Props) {
  const { view } = props;
  const shown = useRef<RowSource | null>(null);
  // Rows compare their columns by identity.
  const columns = useMemo(
    () => props.columns,
    [props.columns.map(({ name, label, tooltip }) => [name, label, tooltip].join()).join()],
  );

  // The rows of the view before stay until those of the new one are there.
  if (props.source.ready) shown.current = props.source;
  const source = shown.current;
  const mustBeCorrected = expressionProblem(props.source) !== null;
  const failure = mustBeCorrected ? null : props.source.failure.value;
  const notice = failure && <ProblemNotice failure={failure} onRetry={props.onRetry} />;
  const { value: total = null } = source?.total ?? {};
  const { value: size = null } = source?.pageSize ?? {};
  // No rows of the view before, or none: nothing is said of a filter that was not applied.
  if (mustBeCorrected && !total) return <p class="empty">Correct the filter above to see the assets.</p>;
  if (source === null || total === null || size === null) return notice ?? <Loading what="the assets" />;
  const inactive = source.matches.value?.inactive ?? [];
  if (total === 0) {
    if (notice) return notice;
    if (inactive.length > 0) return <InactiveMatches assets={inactive} />;
    return (
      <BeforeData moment={view.asOf} interval={view.interval}>
        No asset matches. Remove a filter, or search for something else.
      </BeforeData>
    );
  }

  const paged = size < FEWEST_TO_SCROLL;
  const stale = source !== props.source;
  const busy = stale && failure === null && !mustBeCorrected;
  const pages = Math.ceil(total / size);
  const page = Math.min(view.page, pages);
  const first = paged ? (page - 1) * size : 0;
  return (
    <>
      {notice}
      <div class={`table-box ${busy ? 'stale' : stale ? 'outdated' : ''}`} aria-busy={busy}>
        <Table
          source={source}
          columns={columns}
          view={view}
          onSort={props.onSort}
          first={first}
          end={paged ? Math.min(total, first + size) : total}
          scrollTop={source === props.source ? props.scrollTop : 0}
          onScrolled={props.onScrolled}
        />
      </div>
      <footer class="table-foot">
        {stale && !busy && <span class="badge warn">Not the rows of this screen: see above</span>}
        <span role="status">
          {formatCount(total)} {total === 1 ? 'asset' : 'assets'}
          {source.matches.value?.cutOff &&
            ': the best-ranked matches; the tier of your API key gives no more per request'}
          {waitingUntil.value > 0 && ' · waiting for the rate limit'}
        </span>
        <span class="order">{orderText(view)}</span>
        <DataDay view={view} />
        {paged && <Pager page={page} pages={pages} size={size} onPage={props.onPage} />}
      </footer>
    </>
  );
}

/** The listing does not have them, but each has a page with its history. */
function InactiveMatches({ assets }: { readonly assets: readonly AssetRow[] }) {
  return (
    <div class="empty">
      <p>
        No active asset matches. These are inactive: their latest close is too old, or their source has delisted them.
      </p>
      <ul class="inactive-matches">
        {assets.map(({ id, symbol, name }) => (
          <li key={id}>
            <a href={assetAddress(id)}>
              <b>{symbol}</b> {name}
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Said in words, since the sorted column need not be among those shown. */
function orderText({ sort, order }: View): string {
  if (sort === 'symbol') return order === 'asc' ? 'A to Z' : 'Z to A';
  return `by ${columnLabel(sort)}, ${order === 'asc' ? 'lowest' : 'highest'} first`;
}

interface PagerProps {
  readonly page: number;
  readonly pages: number;
  readonly size: number;
  readonly onPage: (page: number) => void;
}

function Pager({ page, pages, size, onPage }: PagerProps) {
  return (
    <nav class="pager" aria-label="Pages">
      <button type="button" disabled={page === 1} onClick={() => onPage(page - 1)}>
        Previous
      </button>
      <span>
        Page {formatCount(page)} of {formatCount(pages)}
      </span>
      <button type="button" disabled={page === pages} onClick={() => onPage(page + 1)}>
        Next
      </button>
      <span class="note">
        The tier of your API key gives {size} rows per page. With a larger tier you can scroll through all of them.
      </span>
    </nav>
  );
}
