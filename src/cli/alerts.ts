// `tidemark alerts`: creates, lists, tests, pauses and removes alerts, and shows what they delivered.

import { type AlertEntry, alertEntry, hostOf } from '../alerts/alert-entry.ts';
import { listingUrl } from '../alerts/listing-url.ts';
import { bodyOf, CONTENT_TYPES } from '../alerts/message.ts';
import { parseAlertQuery } from '../alerts/parse-alert-query.ts';
import { post } from '../alerts/post.ts';
import { screenUrl } from '../alerts/screen-url.ts';
import { signedHeaders } from '../alerts/sign.ts';
import { nearest } from '../common/nearest.ts';
import { newAlertId, newDeliveryId, newSecret } from '../domain/alert.ts';
import type { Store, StoredAlert, StoredDelivery } from '../store/store.ts';
import { type Action, runAction, withStore } from './actions.ts';
import { ALERT_OPTIONS, alertDirection, alertFormat, alertName, alertQuery, alertUrl } from './alert-options.ts';
import { type Command, CommandError, type Invocation } from './command.ts';
import { storeFlag } from './program.ts';
import { count, facts, table } from './terminal.ts';

const ACTIONS: Readonly<Record<string, Action>> = {
  create: {
    usage: 'create --name TEXT --query QUERY --to URL [--on enter|leave|both] [--format json|slack|discord|ntfy]',
    options: ['name', 'query', 'on', 'to', 'format'],
    args: [0, 0],
    run: create,
  },
  list: { usage: 'list', options: [], args: [0, 0], run: list },
  test: { usage: 'test ALERT', options: [], args: [1, 1], run: test },
  pause: { usage: 'pause ALERT', options: [], args: [1, 1], run: pause },
  resume: { usage: 'resume ALERT [--to URL]', options: ['to'], args: [1, 1], run: resume },
  remove: { usage: 'remove ALERT', options: [], args: [1, 1], run: remove },
  log: { usage: 'log [ALERT]', options: [], args: [0, 1], run: log },
};

const DELIVERIES_SHOWN = 50;
const SHOWN_ONCE = 'Copy the secret now. It is not shown again. The receiver needs it to check the signatures.';

export const alerts: Command = {
  name: 'alerts',
  summary: 'Post a message when assets enter or leave a saved query',
  usage: Object.values(ACTIONS).map(action => action.usage),
  maxArgs: Number.POSITIVE_INFINITY,
  settings: ['store', 'allow-private-webhooks', 'public-url', 'group'],
  options: ALERT_OPTIONS,
  about: `
create   saves a query of ta-cur and a destination, and prints the secret that signs the messages, once
list     shows every alert; of the destination only its host
test     posts one test message now
pause    stops an alert; its waiting messages stay
resume   starts it again from what matches then; --to gives it another destination and a new secret
remove   removes an alert with its messages
log      shows the last ${DELIVERIES_SHOWN} messages, of one alert or of all

ALERT is an id or a name. A running server of the same store evaluates the alerts after each publication. The first
evaluation only notes what matches. A message that is not accepted is retried for 24 hours, with the same id.`,
  run: invocation => runAction(alerts, ACTIONS, invocation),
};

async function create(invocation: Invocation): Promise<number> {
  const { config, options, output } = invocation;
  const alert = {
    id: newAlertId(),
    name: alertName(options['name']),
    query: alertQuery(options['query']),
    on: alertDirection(options['on']),
    format: alertFormat(options['format']),
    target: { url: alertUrl(options['to'], invocation), secret: newSecret() },
  };
  // Never in a new store, which no server serves.
  const empty = await withStore(config.store, false, async store => {
    await store.createAlert(alert);
    return (await store.totals()).bars === 0 ? store.description : null;
  });
  const { target, ...shown } = alert;
  if (output.json) output.print(JSON.stringify({ ...shown, to: hostOf(target.url), secret: target.secret }, null, 2));
  else {
    output.print(
      facts([
        ['secret', target.secret],
        ['id', alert.id],
        ['name', alert.name],
        ['query', alert.query],
        ['on', alert.on],
        ['to', hostOf(target.url)],
        ['format', alert.format],
      ]),
    );
    output.say(SHOWN_ONCE);
  }
  if (empty !== null)
    output.say(`The store ${empty} holds no prices yet. If the server uses another one, name it by --store.`);
  return 0;
}

async function list({ config, output }: Invocation): Promise<number> {
  const entries = (await withStore(config.store, false, store => store.alerts())).map(alertEntry);
  if (output.json) output.print(JSON.stringify({ alerts: entries }, null, 2));
  else if (entries.length > 0) output.print(alertTable(entries));
  else {
    const command = `tidemark alerts create --name oversold --query 'where=change7 < -20' --to URL${storeFlag(config.store)}`;
    output.print(`No alerts are stored. Create one:\n  ${command}`);
  }
  return 0;
}

async function test(invocation: Invocation): Promise<number> {
  const { config, output } = invocation;
  const { alert, version } = await withStore(config.store, false, async store => ({
    alert: await findAlert(store, invocation),
    version: await store.version(),
  }));
  const { id, name, query, on, format, target } = alert;
  if (target === null) throw noTarget(alert);
  const report = {
    alert: { id, name, query, on },
    version,
    day: null,
    entered: { count: 0, rows: [] },
    left: { count: 0, rows: [] },
    columns: [],
    url: listingUrl(config['public-url'], config.group, query),
    screenUrl: screenUrl(config['public-url'], query, parseAlertQuery(query)),
    at: new Date().toISOString(),
    isTest: true,
  } as const;
  const body = bodyOf(report, format);
  const message = newDeliveryId();
  const headers = { 'content-type': CONTENT_TYPES[format], ...signedHeaders(message, Date.now(), body, target.secret) };
  const outcome = await post(target.url, headers, body, { allowPrivate: config['allow-private-webhooks'] });
  if (output.json) output.print(JSON.stringify({ alert: id, message, ...outcome }, null, 2));
  else if (outcome.ok) output.print(`${hostOf(target.url)} accepted the test message with ${outcome.status}`);
  if (outcome.ok) return 0;
  throw new CommandError(`${hostOf(target.url)} did not accept the test message: ${outcome.error}`, 'Check the URL.');
}

async function pause(invocation: Invocation): Promise<number> {
  return withStore(invocation.config.store, false, async store => {
    const alert = await findAlert(store, invocation);
    await store.setAlert(alert.id, { paused: true });
    return say(invocation, alert, 'paused', 'is paused');
  });
}

async function resume(invocation: Invocation): Promise<number> {
  const { options, config, output } = invocation;
  const target =
    options['to'] === undefined ? undefined : { url: alertUrl(options['to'], invocation), secret: newSecret() };
  return withStore(config.store, false, async store => {
    const alert = await findAlert(store, invocation);
    if (alert.target === null && target === undefined) throw noTarget(alert);
    await store.setAlert(alert.id, { paused: false, ...(target === undefined ? {} : { target }) });
    if (target !== undefined && !output.json) {
      output.print(facts([['secret', target.secret]]));
      output.say(SHOWN_ONCE);
    }
    return say(invocation, alert, 'active', 'is active', target === undefined ? {} : { secret: target.secret });
  });
}

async function remove(invocation: Invocation): Promise<number> {
  return withStore(invocation.config.store, false, async store => {
    const alert = await findAlert(store, invocation);
    await store.removeAlert(alert.id);
    return say(invocation, alert, 'removed', 'is removed');
  });
}

async function log(invocation: Invocation): Promise<number> {
  const { config, args, output } = invocation;
  const { entries, names } = await withStore(config.store, false, async store => {
    const only = args.length === 0 ? undefined : (await findAlert(store, invocation)).id;
    const names = new Map((await store.alerts()).map(({ id, name }) => [id, name]));
    return { entries: (await store.deliveries(DELIVERIES_SHOWN, only)).map(deliveryEntry), names };
  });
  if (output.json) output.print(JSON.stringify({ deliveries: entries }, null, 2));
  else output.print(entries.length === 0 ? 'No messages yet.' : deliveryTable(entries, names));
  return 0;
}

function say({ output }: Invocation, { id, name }: StoredAlert, state: string, words: string, more = {}): number {
  output.print(output.json ? JSON.stringify({ id, name, state, ...more }) : `${name} (${id}) ${words}.`);
  return 0;
}

/** By its id or its name. */
async function findAlert(store: Store, { args, config }: Invocation): Promise<StoredAlert> {
  const wanted = args[0]!; // ACTIONS requires one argument
  const all = await store.alerts();
  const found = all.find(({ id }) => id === wanted) ?? all.find(({ name }) => name === wanted);
  if (found !== undefined) return found;
  const meant = nearest(
    wanted,
    all.flatMap(({ id, name }) => [id, name]),
  );
  const hint = `'tidemark alerts list${storeFlag(config.store)}' shows all of them.`;
  throw new CommandError(
    `there is no alert ${JSON.stringify(wanted)}`,
    meant === null ? hint : `Did you mean ${JSON.stringify(meant)}? ${hint}`,
  );
}

function noTarget({ name }: StoredAlert): CommandError {
  return new CommandError(
    `${name} has no destination: it was restored from a backup without secrets`,
    `Give it one: tidemark alerts resume ${JSON.stringify(name)} --to URL`,
  );
}

function alertTable(entries: readonly AlertEntry[]): string {
  return table(
    ['id', 'name', 'on', 'to', 'format', 'state', '>matching', '>waiting', 'query'],
    entries.map(({ id, name, on, to, format, state, matching, waiting, query }) => [
      id,
      name,
      on,
      to ?? 'nowhere',
      format,
      state,
      matching === null ? '' : count(matching),
      count(waiting),
      query,
    ]),
  );
}

type DeliveryEntry = ReturnType<typeof deliveryEntry>;

function deliveryEntry({ body, createdAt, lastAt, nextAt, ...delivery }: StoredDelivery) {
  return { ...delivery, createdAt: iso(createdAt), lastAt: iso(lastAt), nextAt: iso(nextAt) };
}

function iso(millis: number | null): string | null {
  return millis === null ? null : new Date(millis).toISOString();
}

function deliveryTable(entries: readonly DeliveryEntry[], names: ReadonlyMap<string, string>): string {
  const second = (time: string | null) => (time ?? '').slice(0, 19).replace('T', ' ');
  return table(
    ['queued (UTC)', 'alert', 'message', '>entered', '>left', 'state', '>attempts', 'next (UTC)', 'last error'],
    entries.map(({ createdAt, alert, id, entered, left, state, attempts, nextAt, error }) => [
      second(createdAt),
      names.get(alert) ?? alert,
      id,
      count(entered),
      count(left),
      state,
      count(attempts),
      second(nextAt),
      error ?? '',
    ]),
  );
}
