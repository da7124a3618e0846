// The page of alerts: watches the current screen in this browser, shows the command that saves it as an alert of the server, and lists both.

import { useEffect, useState } from 'preact/hooks';
import { tidemark } from '../api.ts';
import { pageConfig } from '../page-config.ts';
import { screenFilters } from '../screen-filters.ts';
import { CopyButton } from '../shell/copy-button.tsx';
import { useRequest } from '../use-request.ts';
import { saveWatch, type WatchDirection, watches } from '../watches.ts';
import { alertCommand, alertQuery, commandsOf, DIRECTIONS, FORMATS, quoted, UNKNOWN_STORE } from './alert-command.ts';
import { SavedAlerts } from './saved-alerts.tsx';
import { WatchList } from './watch-list.tsx';
import './alerts.css';

export default function AlertsPage({ search }: { readonly search: string }) {
  useEffect(() => {
    document.title = 'Alerts · Tidemark';
  }, []);
  return (
    <div class="alerts-page">
      <h1>Alerts</h1>
      <p>
        An alert is a saved screen. When new data makes assets enter or leave it, this browser shows a notification, or
        the server posts a message to Slack, Discord, ntfy or your own service.
      </p>
      <CreateAlert search={search} />
      <WatchList />
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
        <AlertForm key={search} query={query} search={search} />
      )}
    </section>
  );
}

function AlertForm({ query, search }: { readonly query: string; readonly search: string }) {
  const [name, setName] = useState('');
  const [on, setOn] = useState<WatchDirection>('enter');
  const matching = useMatching(search);
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
      </form>
      <InThisBrowser name={name} on={on} search={search} />
      <OnTheServer name={name} on={on} query={query} />
    </>
  );
}

interface WayProps {
  readonly name: string;
  readonly on: WatchDirection;
}

function InThisBrowser({ name, on, search }: WayProps & { readonly search: string }) {
  const [message, setMessage] = useState('');

  async function watch(): Promise<void> {
    const wanted = name.trim() || freeName();
    saveWatch({ name: wanted, search, on, paused: false });
    setMessage(await permissionText(wanted));
  }

  return (
    <section class="way" aria-labelledby="browser-title">
      <h3 id="browser-title">In this browser</h3>
      <p>
        Works at once, while a tab of the explorer is open. Kept in this browser; nothing is written on the server. An
        asset is reported at most once per hour.
      </p>
      <div class="actions">
        <button type="button" class="primary" onClick={() => void watch()}>
          Notify me in this browser
        </button>
        <span role="status" class="note">
          {message}
        </span>
      </div>
    </section>
  );
}

/** A name that no other watch has. */
function freeName(): string {
  const taken = new Set(watches.value.map(({ name }) => name));
  for (let i = 1; ; i++) {
    const name = i === 1 ? 'my screen' : `my screen ${i}`;
    if (!taken.has(name)) return name;
  }
}

/** Asks the user for permission, if the browser has notifications. */
async function permissionText(name: string): Promise<string> {
  if (!('Notification' in globalThis) || !isSecureContext) {
    return `“${name}” is watched. This browser has notifications on https and localhost only: see the list below.`;
  }
  const permission = await Notification.requestPermission();
  if (permission === 'granted') return `“${name}” is watched.`;
  return `“${name}” is watched, but you have not allowed notifications: see the list below.`;
}

function OnTheServer({ name, on, query }: WayProps & { readonly query: string }) {
  const [format, setFormat] = useState<(typeof FORMATS)[number]['id']>('slack');
  const command = alertCommand({ name, on, format }, query, pageConfig.keyCommand);
  const { program, store } = commandsOf(pageConfig.keyCommand);
  return (
    <section class="way" aria-labelledby="server-title">
      <h3 id="server-title">Always, from the server</h3>
      <form class="alert-form" onSubmit={event => event.preventDefault()}>
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
      <p>
        Run this on the server, with your own destination after --to. It prints the secret that signs the messages.
        {pageConfig.keyCommand === null && (
          <>
            {' '}
            <code>{UNKNOWN_STORE}</code> is the <code>--store</code> of the server, which it does not tell to other
            machines.
          </>
        )}
      </p>
      <pre id="alert-command" class="command">
        {command}
      </pre>
      <div class="actions">
        <CopyButton text={command} from="alert-command" />
        <span class="note">
          Then <code>{`${program} alerts test ${quoted(name.trim() || 'my screen')}${store}`}</code> posts a test
          message.
        </span>
      </div>
    </section>
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
