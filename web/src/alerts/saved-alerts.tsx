// The saved alerts as the service lists them: without secrets, and of each destination only the host.

import type { Alerts } from '../../../client/src/index.ts';
import { tidemark } from '../api.ts';
import { formatCount } from '../format.ts';
import { pageConfig } from '../page-config.ts';
import { Loading } from '../shell/loading.tsx';
import { ProblemNotice } from '../shell/problem-notice.tsx';
import { ScrollingTable } from '../shell/scrolling-table.tsx';
import { useRequest } from '../use-request.ts';
import { commandsOf, WHEN } from './alert-command.ts';

export function SavedAlerts() {
  const { program, store } = commandsOf(pageConfig.keyCommand);
  const { value, failure, retry } = useRequest('alerts', async signal => (await tidemark.alerts({ signal })).alerts);
  const isRefused = failure !== null && 'problem' in failure && failure.problem.code === 'not_in_tier';
  return (
    <section class="card" aria-labelledby="saved-title">
      <h2 id="saved-title">Alerts on the server</h2>
      {isRefused && (
        <p>
          The tier of your API key does not include the list: alerts belong to the operator of the service. On the
          server, <code>{`${program} alerts list${store}`}</code> shows them.
        </p>
      )}
      {failure !== null && !isRefused && <ProblemNotice failure={failure} onRetry={retry} />}
      {value === null && failure === null && <Loading what="the alerts" />}
      {value?.length === 0 && <p>There are no alerts yet.</p>}
      {value !== null && value.length > 0 && (
        <>
          <AlertTable alerts={value} />
          <p class="note">
            On the server: <code>{`${program} alerts pause NAME${store}`}</code>, <code>resume</code>,{' '}
            <code>remove</code> and <code>log</code>.
          </p>
        </>
      )}
    </section>
  );
}

function AlertTable({ alerts }: { readonly alerts: Alerts['alerts'] }) {
  return (
    <ScrollingTable class="alert-table" label="Table of alerts">
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">State</th>
          <th scope="col">When</th>
          <th scope="col">Query</th>
          <th scope="col">Matching</th>
          <th scope="col">Waiting messages</th>
          <th scope="col">Posts to</th>
        </tr>
      </thead>
      <tbody>
        {alerts.map(alert => (
          <tr key={alert.id}>
            <th scope="row">{alert.name}</th>
            <td>
              <span class={alert.state === 'active' ? 'badge' : 'badge warn'}>{alert.state}</span>
            </td>
            <td>{WHEN[alert.on]}</td>
            <td>
              <code>{alert.query}</code>
            </td>
            <td>{alert.matching === null ? 'not evaluated yet' : formatCount(alert.matching)}</td>
            <td>{formatCount(alert.waiting)}</td>
            <td>
              {alert.to ?? 'nowhere: restored without secrets'} <span class="note">{alert.format}</span>
            </td>
          </tr>
        ))}
      </tbody>
    </ScrollingTable>
  );
}
