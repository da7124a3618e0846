// The API requests behind the asset page.

import { groupPath } from '../api.ts';
import type { ColumnFacts } from '../catalog.ts';
import { RequestPanel } from '../shell/request-panel.tsx';
import { historyParams } from './use-history.ts';

interface RequestSectionProps {
  readonly id: string;
  readonly columns: readonly ColumnFacts[];
  /** First day of the chart's range, null for all days. */
  readonly from: string | null;
}

export function RequestSection({ id, columns, from }: RequestSectionProps) {
  return (
    <details class="requests">
      <summary>The API request behind this chart</summary>
      <RequestPanel
        path={groupPath('ta-hist')}
        params={{ ...historyParams(id, columns), from: from ?? undefined }}
        fileName={`tidemark-${id}`}
      />
      <p class="note">
        Without <code>excl_cols</code> a row has all indicators. The profile is at{' '}
        <code>GET {groupPath(`assets/${id}`)}</code>
      </p>
    </details>
  );
}
