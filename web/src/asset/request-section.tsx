// The API requests behind the asset page.

import { groupPath, type Params, queryString } from '../api.ts';
import type { Interval } from '../interval.ts';
import { quoteParam } from '../quote.ts';
import { asOfMoment } from '../routes.ts';
import { RequestPanel } from '../shell/request-panel.tsx';

interface RequestSectionProps {
  readonly id: string;
  /** Of the history. */
  readonly params: Params;
  readonly interval: Interval;
  /** First day or time of the chart's range, null for all there is. */
  readonly from: string | null;
}

export function RequestSection({ id, params, interval, from }: RequestSectionProps) {
  return (
    <details class="requests">
      <summary>The API request behind this chart</summary>
      <RequestPanel
        path={groupPath('ta-hist')}
        params={{ ...params, quote: quoteParam(), from: from ?? undefined }}
        fileName={`tidemark-${id}`}
        asOf={asOfMoment.value}
      />
      <p class="note">
        Without <code>excl_cols</code> a row has all 34 default columns, and <code>incl_cols</code> adds others. Bars of
        any interval: <code>GET {groupPath('bars') + queryString({ id, interval, quote: quoteParam() })}</code>. The
        profile: <code>GET {groupPath(`assets/${id}`)}</code>
      </p>
    </details>
  );
}
