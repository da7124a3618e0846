// The API requests behind the asset page.

import { groupPath, type Params, queryString } from '../api.ts';
import { RequestPanel } from '../shell/request-panel.tsx';
import type { Interval } from './chart-state.ts';

interface RequestSectionProps {
  readonly id: string;
  /** Of the history. */
  readonly params: Params;
  readonly interval: Interval;
  /** First day of the chart's range, null for all days. */
  readonly from: string | null;
}

export function RequestSection({ id, params, interval, from }: RequestSectionProps) {
  return (
    <details class="requests">
      <summary>The API request behind this chart</summary>
      <RequestPanel
        path={groupPath('ta-hist')}
        params={{ ...params, from: from ?? undefined }}
        fileName={`tidemark-${id}`}
      />
      <p class="note">
        Without <code>excl_cols</code> a row has all 34 default columns, and <code>incl_cols</code> adds others. Bars of
        days, weeks and months: <code>GET {groupPath('bars') + queryString({ id, interval })}</code>. The profile:{' '}
        <code>GET {groupPath(`assets/${id}`)}</code>
      </p>
    </details>
  );
}
