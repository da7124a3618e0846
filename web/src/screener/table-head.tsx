// The header of the table: what each column is, and a click that sorts by it.

import type { TableColumn } from './columns.ts';
import type { Order, View } from './view.ts';

interface Props {
  readonly columns: readonly TableColumn[];
  readonly view: View;
  readonly onSort: (column: string, order: Order) => void;
}

export function TableHead({ columns, view, onSort }: Props) {
  return (
    <thead>
      <tr aria-rowindex={1}>
        <SortHeader
          name="symbol"
          label="Asset"
          unit={null}
          tooltip="Ticker and name"
          firstOrder="asc"
          view={view}
          onSort={onSort}
        />
        {columns.map(({ name, label, unit, tooltip, facts }) =>
          facts === null ? (
            <th key={name} scope="col" title={tooltip}>
              <span class="plain">{label}</span>
            </th>
          ) : (
            <SortHeader
              key={name}
              name={name}
              label={label}
              unit={unit}
              tooltip={tooltip}
              // The first rank is the largest asset.
              firstOrder={name === 'rank' ? 'asc' : 'desc'}
              view={view}
              onSort={onSort}
            />
          ),
        )}
      </tr>
    </thead>
  );
}

interface HeaderProps extends Pick<Props, 'view' | 'onSort'> {
  readonly name: string;
  readonly label: string;
  readonly unit: string | null;
  readonly tooltip: string;
  /** Of the first click. */
  readonly firstOrder: Order;
}

function SortHeader({ name, label, unit, tooltip, firstOrder, view, onSort }: HeaderProps) {
  const sorted = view.sort === name ? view.order : null;
  const next = sorted === null ? firstOrder : sorted === 'asc' ? 'desc' : 'asc';
  return (
    <th
      scope="col"
      aria-sort={sorted === null ? undefined : sorted === 'asc' ? 'ascending' : 'descending'}
      title={tooltip}
    >
      <button type="button" onClick={() => onSort(name, next)}>
        {sorted !== null && <span aria-hidden="true">{sorted === 'asc' ? '↑ ' : '↓ '}</span>}
        {label}
        {unit !== null && <span class="unit"> {unit}</span>}
      </button>
    </th>
  );
}
