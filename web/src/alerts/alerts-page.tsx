// The page of alerts: the saved alerts, read-only, and the command that saves the current screen as an alert.

import { useEffect, useState } from 'preact/hooks';
import { tidemark } from '../api.ts';
import { pageConfig } from '../page-config.ts';
import { screenFilters } from '../screen-filters.ts';
import { CopyButton } from '../shell/copy-button.tsx';
import { useRequest } from '../use-request.ts';
import { alertCommand, alertQuery, DIRECTIONS, FORMATS } from './alert-command.ts';
import { SavedAlerts } from './saved-alerts.tsx';
import './alerts.css';

export default function AlertsPage({ search }: { readonly search: string }) {
  useEffect(() => {
    document.title = 'Alerts · Tidemark';
  }, []);
  return (
    <div class="alerts-page">
      <h1>Alerts</h1>
      <p>
        An alert is a saved screen. When new data makes assets enter or leave it, the server posts a message to Slack,
        Discord, ntfy or your own service.
      </p>
      <CreateAlert search={search} />
      <SavedAlerts />
    </div>
  );
}

function CreateAlert({ search }: { readonly search: string }) {
  const query = alertQuery(search);
  return (
    <section class="card" aria-labelledby="create-title">
      <h2 id="create-title">Make this screen an alert</h2>
      {query === '' ? (
        <p>
          The screener has no filter yet. <a href={`/${search}`}>Choose filters in the screener</a>, then come back with
          the link <strong>Alerts</strong>.
        </p>
      ) : (
        <CommandForm query={query} search={search} />
      )}
    </section>
  );
}

function CommandForm({ query, search }: { readonly query: string; readonly search: string }) {
  const [name, setName] = useState('');
  const [on, setOn] = useState<(typeof DIRECTIONS)[number]['id']>('enter');
  const [format, setFormat] = useState<(typeof FORMATS)[number]['id']>('slack');
  const matching = useMatching(search);
  const command = alertCommand({ name, on, format }, query, pageConfig.keyCommand);
  return (
    <>
      <p>
        Assets with <code>{query}</code>
        {matching !== null && `: ${matching} now`}. <a href={`/${search}`}>Show them</a>
      </p>
      <form class="alert-form" onSubmit={event => event.preventDefault()}>
        <label>
          Name
          <input
            value={name}
            placeholder="my screen"
            maxLength={100}
            onInput={event => setName(event.currentTarget.value)}
          />
        </label>
        <label>
          When assets
          <select value={on} onChange={event => setOn(DIRECTIONS[event.currentTarget.selectedIndex]!.id)}>
            {DIRECTIONS.map(({ id, label }) => (
              <option key={id} value={id}>
                {label}
              </option>
            ))}
          </select>
        </label>
        <label>
          Post to
          <select value={format} onChange={event => setFormat(FORMATS[event.currentTarget.selectedIndex]!.id)}>
            {FORMATS.map(({ id, label }) => (
              <option key={id} value={id}>
                {label}
              </option>
            ))}
          </select>
        </label>
      </form>
      <p>Run this on the server, with your own destination after --to. It prints the secret that signs the messages.</p>
      <pre id="alert-command" class="command">
        {command}
      </pre>
      <div class="actions">
        <CopyButton text={command} from="alert-command" />
        <span class="note">
          Then <code>tidemark alerts test NAME</code> posts a test message.
        </span>
      </div>
    </>
  );
}

/** How many assets match now; null until known. */
function useMatching(search: string): number | null {
  const { value } = useRequest(search, async signal => {
    const { as_of: _, ...filters } = screenFilters(search);
    const { result } = await tidemark.stats({ ...filters, cols: 'price', limit: 1 }, { signal }).page();
    return result[0]?.count ?? null;
  });
  return value;
}
