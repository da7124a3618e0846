// `tidemark ingest`: loads prices and profiles from a source into the store.

import { parseInterval } from '../common/interval.ts';
import { lowerPriority } from '../common/lower-priority.ts';
import { nearest } from '../common/nearest.ts';
import { tickerKey } from '../domain/asset-state.ts';
import { BASE_INTERVALS } from '../domain/interval.ts';
import { followPrices, LiveBusyError } from '../ingest/live/live-load.ts';
import type { LoadListeners } from '../ingest/load-record.ts';
import { StoreBusyError } from '../ingest/only-writer.ts';
import { type LoadOptions, type LoadSummary, load, loadIfDue } from '../ingest/pipeline.ts';
import { retentionOf } from '../ingest/retention.ts';
import { REJECT_REASONS, type Reject, type RejectReason, type Source } from '../ingest/source.ts';
import { setChecks } from '../publish/checks.ts';
import { PRICE_SETTINGS, priceRulesOf } from '../publish/price-settings.ts';
import { refuseWithoutOwn } from '../publish/publish-pending.ts';
import type { Store } from '../store/store.ts';
import { withStore } from './actions.ts';
import {
  type Command,
  type CommandHelp,
  type CommandOption,
  type Invocation,
  type Output,
  UsageError,
} from './command.ts';
import { today } from './days.ts';
import { DEMO_STORE } from './demo-url.ts';
import { checksOf, findingsLine } from './findings-text.ts';
import { parseFlags } from './flags.ts';
import { countActive } from './inactive-note.ts';
import { runDry } from './ingest-dry-run.ts';
import { checkFlags, type LiveChoice, SOURCES, type SourceKind } from './ingest-sources.ts';
import { ProgressLine } from './progress.ts';
import type { StopSignal } from './stop-signals.ts';
import { barWords, compact, count, counted, duration, styled } from './terminal.ts';

const LABEL_LENGTH = 100;
/** Refused lines shown while loading; all are counted, and the first thousand kept for `status`. */
const REJECTS_SHOWN = 10;

const COMMON_OPTIONS: Command['options'] = {
  strict: { doc: 'Fail when anything was refused (what is good is loaded all the same)' },
  'dry-run': { doc: 'Show how the input is read and what would change, and store nothing' },
  'if-due': {
    placeholder: 'INTERVAL',
    doc: 'Do nothing when the last load from this source is younger than this (90s, 15m, 1h, 1d)',
  },
};

const ABOUT = `
A line that cannot be right is refused with its place and the reason; the rest is loaded. A load that loads nothing fails.
Ctrl-C stops after the current batch and keeps what was stored.`.trim();

export const ingest: Command = {
  name: 'ingest',
  summary: 'Load prices and profiles; safe to repeat, also while a server runs',
  usage: Object.values(SOURCES).map(source => source.usage),
  maxArgs: Number.POSITIVE_INFINITY,
  settings: [
    'store',
    'active-days',
    'retention-1m',
    'retention-1h',
    'benchmark',
    'all-columns',
    ...PRICE_SETTINGS,
    'check-intervals',
    'check-thresholds',
  ],
  options: { ...COMMON_OPTIONS, ...sourceOptions() },
  about: `
${Object.entries(SOURCES)
  .map(([name, { about }]) => `${name.padEnd(12)} ${about}`)
  .join('\n')}

'tidemark ingest SOURCE --help' shows the flags of one source.

${ABOUT}`,
  form: name => (Object.hasOwn(SOURCES, name) ? helpFor(SOURCES[name]!) : undefined),
  async run(invocation) {
    const { name, kind } = sourceOf(invocation);
    const { config } = invocation;
    const url = name === 'demo' && !config.given.has('store') ? DEMO_STORE : config.store;
    const withProfile = new Set<string>();
    const source = kind.make(invocation, id => withProfile.has(id));
    // Before the store is opened: a misspelt command must not create one.
    // A server that tries every few seconds whether it is needed does not load the code of the exchanges for that.
    if (invocation.options['if-free'] !== true) await source.check?.();
    lowerPriority();
    if (invocation.options['dry-run'] === true) return await runDryLoad(url, source, kind, invocation);
    return withStore(url, true, async store => {
      if (kind.enter !== undefined) return await kind.enter(store, invocation);
      if (kind.live !== undefined) return await runLive(store, kind.live(invocation), invocation);
      if (kind.skipsStoredProfiles) {
        for await (const { sourced } of store.profiles()) withProfile.add(sourced.profile.id);
      }
      return await runLoad(store, source, invocation);
    });
  },
};

async function runLive(store: Store, choice: LiveChoice, { options, output }: Invocation): Promise<number> {
  using stop = stopOnInterrupt(new ProgressLine(output), output);
  try {
    const onNote = (text: string) => output.say(`${styled('yellow', 'live', process.stderr)} ${text}`);
    const summary = await followPrices({ ...choice, store, signal: stop.signal, onNote });
    const { replaced, inserted, rejected, outOfOrder } = summary;
    const counts = `${count(inserted + replaced)} prices stored, ${count(rejected)} refused, ${count(outOfOrder)} out of order`;
    output.print(output.json ? JSON.stringify({ source: 'live', ...summary }, null, 2) : `live     ${counts}`);
    return 0;
  } catch (error) {
    if (!(error instanceof LiveBusyError && options['if-free'] === true)) throw error;
    output.print(output.json ? JSON.stringify({ source: 'live', state: 'busy' }) : `live: ${error.message}`);
    return 0;
  }
}

function sourceOf({ args, options }: Invocation): { name: string; kind: SourceKind } {
  const name = args[0];
  const kind = name !== undefined && Object.hasOwn(SOURCES, name) ? SOURCES[name] : undefined;
  if (name === undefined || kind === undefined) throw new UsageError(sourceProblem(name));
  checkFlags(name, kind, options);
  return { name, kind };
}

/** Fails when `tidemark ingest` with these words would not begin: a scheduled load is checked when the server starts. */
export function checkLoad(argv: readonly string[], { config, output }: Pick<Invocation, 'config' | 'output'>): void {
  const { values, positionals } = parseFlags(ingest, argv);
  const invocation = { config, output, args: positionals, options: values };
  sourceOf(invocation).kind.make(invocation, () => false);
}

function sourceProblem(name: string | undefined): string {
  const known = Object.keys(SOURCES);
  const meant = name === undefined ? null : nearest(name, known);
  const start = name === undefined ? 'ingest needs a source' : `there is no source ${JSON.stringify(name)}`;
  return `${start}${meant === null ? '' : `; did you mean '${meant}'?`}\nSources: ${known.join(', ')}. 'tidemark help ingest' tells more.`;
}

/** The flags of all sources, each with the sources that take it. */
function sourceOptions(): Command['options'] {
  const takers = new Map<string, string[]>();
  const options: Record<string, CommandOption> = {};
  for (const [source, { options: own }] of Object.entries(SOURCES)) {
    for (const [flag, option] of Object.entries(own)) {
      takers.set(flag, [...(takers.get(flag) ?? []), source]);
      options[flag] = { ...option, doc: `${takers.get(flag)!.join(', ')}: ${option.doc}` };
    }
  }
  return options;
}

function helpFor({ usage, about, options, moreHelp }: SourceKind): CommandHelp {
  const more = moreHelp === undefined ? '' : `\n\n${moreHelp()}`;
  return {
    name: 'ingest',
    summary: about,
    usage: [usage],
    settings: ingest.settings,
    options: { ...options, ...COMMON_OPTIONS },
    about: ABOUT + more,
  };
}

async function runDryLoad(url: string, source: Source, kind: SourceKind, invocation: Invocation): Promise<number> {
  if (kind.live !== undefined) throw new UsageError('--dry-run: live prices have no end');
  if (kind.enter !== undefined) throw new UsageError("--dry-run: 'tidemark actions remove N' takes an action back");
  const { output } = invocation;
  using progress = new ProgressLine(output);
  using stop = stopOnInterrupt(progress, output);
  const { signal } = stop;
  return await runDry(url, source, invocation, { ...complaints(output, progress), signal }, rejectLines);
}

/** Shows the first rejects, and all warnings. */
function complaints(output: Output, progress: ProgressLine): Required<Pick<LoadListeners, 'onReject' | 'onWarning'>> {
  let shown = 0;
  return {
    onReject: reject => {
      if (shown++ >= REJECTS_SHOWN) return;
      progress.clear();
      output.say(rejectLine(reject));
    },
    onWarning: text => {
      progress.clear();
      output.say(`${styled('yellow', 'warning', process.stderr)} ${text}`);
    },
  };
}

async function runLoad(store: Store, source: Source, { args, options, config, output }: Invocation): Promise<number> {
  const label = labelOf(source.name, args.slice(1), options);
  // Before anything is stored.
  refuseWithoutOwn(await store.columns());
  await setChecks(store, checksOf(config));
  const began = performance.now();
  using progress = new ProgressLine(output);
  using stop = stopOnInterrupt(progress, output);
  const onProgress = progress.update.bind(progress);
  const benchmark = config.benchmark === '' ? undefined : tickerKey(config.benchmark);
  const allColumns = config['all-columns'];
  const priceRules = priceRulesOf(config);
  const summary = await loadWhenDue(
    {
      store,
      source,
      label,
      benchmark,
      allColumns,
      priceRules,
      today: today(),
      retention: retentionOf(config),
      signal: stop.signal,
      onProgress,
      ...complaints(output, progress),
    },
    options,
  );
  progress.clear();
  if (summary === null) {
    output.print(
      output.json ? JSON.stringify({ source: source.name, state: 'not due' }) : `${source.name}: not due yet`,
    );
    return 0;
  }
  if (output.json) output.print(JSON.stringify({ source: source.name, ...summary }, null, 2));
  else {
    output.print(describe(source.name, summary, performance.now() - began, config.store));
    const note = summary.recomputed.rows > 0 ? (await countActive(store, config['active-days'])).note : null;
    if (note !== null) output.print(`${source.name.padEnd(8)} ${note}`);
  }
  if (summary.state === 'stopped') {
    output.say('Stopped. What was stored is kept and published; the same command again goes on from there.');
    return 1;
  }
  if (summary.error !== null) output.say(`tidemark: ${summary.error}`);
  return summary.state === 'failed' || (options['strict'] === true && summary.rejected > 0) ? 1 : 0;
}

/** Tells loads of one kind apart: the files of a csv load, the markets of an exchange. */
function labelOf(name: string, files: readonly string[], options: Invocation['options']): string {
  const chosen = ['quote', 'symbols', 'assets', 'interval', 'source']
    .map(flag => options[flag])
    .filter(value => typeof value === 'string');
  const label = [name, ...files, ...chosen].join(' ');
  return label.length <= LABEL_LENGTH ? label : `${label.slice(0, LABEL_LENGTH - 1)}…`;
}

function loadWhenDue(loadOptions: LoadOptions, options: Invocation['options']): Promise<LoadSummary | null> {
  const interval = options['if-due'];
  if (typeof interval !== 'string') return load(loadOptions);
  const millis = parseInterval(interval);
  if (millis === null)
    throw new UsageError(`--if-due: expected an interval such as 1h, got ${JSON.stringify(interval)}`);
  return loadIfDue(loadOptions, millis).catch(error => {
    // Of several servers with one schedule, another one is at it.
    if (error instanceof StoreBusyError) return null;
    throw error;
  });
}

function rejectLine({ where, reason, detail }: Reject): string {
  return `${styled('yellow', 'refused', process.stderr)} ${where}  ${reason}: ${detail}`;
}

function describe(source: string, summary: LoadSummary, millis: number, store: string): string {
  const lines: string[] = [];
  const rate = summary.read / (millis / 1000);
  if (summary.profiles > 0) lines.push(`${counted(summary.profiles, 'profile')} new or changed`);
  if (summary.read > 0 || summary.profiles === 0) {
    lines.push(...readingLines(summary));
    lines.push(`${counted(summary.read, 'record')} read in ${duration(millis)} (${compact(rate)} per second)`);
    lines.push(
      `${count(summary.inserted)} new, ${count(summary.replaced)} replaced, ${count(summary.unchanged)} unchanged`,
    );
  }
  lines.push(...rejectLines(summary));
  for (const { interval, bars } of summary.dropped) {
    lines.push(
      `${counted(bars, 'bar')} (${interval}) older than --retention-${interval} dropped; what was made of them stays`,
    );
  }
  const { rows, version } = summary.recomputed;
  lines.push(
    rows > 0 ? `${counted(rows, 'row')} computed, version ${version} published` : `version ${version}, no row changed`,
  );
  const found = findingsLine(summary.recomputed.newFindings, store);
  if (found !== null) lines.push(found);
  return lines.map(line => (line.startsWith('  ') ? `         ${line}` : `${source.padEnd(8)} ${line}`)).join('\n');
}

/** What bars the load has brought, and of files how that was found out. */
function readingLines({ bars, readings }: LoadSummary): string[] {
  const intervals = BASE_INTERVALS.filter(interval => (bars[interval] ?? 0) > 0);
  if (readings.length === 0) return intervals.length === 0 ? [] : [`interval: ${barWords(bars)}`];
  return readings.map(({ files, example, spacing, interval, isStated }) => {
    const which = files === 1 ? example : `${count(files)} files such as ${example}`;
    const apart =
      spacing === 'not known'
        ? 'too few rows to find their spacing'
        : `rows ${spacing === 'irregular' ? 'at irregular times' : `${spacing} apart`}`;
    return `${which}: ${apart}, read as ${interval}${isStated ? ', as stated' : ''}`;
  });
}

function rejectLines({ rejected, rejectsByReason }: Pick<LoadSummary, 'rejected' | 'rejectsByReason'>): string[] {
  if (rejected === 0) return [];
  const reasons = Object.entries(rejectsByReason).map(
    ([reason, times]) => `  ${count(times)} × ${reason}: ${REJECT_REASONS[reason as RejectReason]}`, // its keys are reasons
  );
  return [styled('yellow', `${count(rejected)} refused`), ...reasons];
}

/** The first signal ends the load in order; the second ends the program at once, whatever its threads wait for. */
function stopOnInterrupt(progress: ProgressLine, output: Output): StopSignal {
  const controller = new AbortController();
  const onSignal = (name: NodeJS.Signals) => {
    progress.clear();
    if (controller.signal.aborted) {
      // process.exit waits for the thread pool, where a read from a hung file system can stay for ever.
      dispose();
      process.kill(process.pid, name);
      return;
    }
    output.say('stopping after the current batch …');
    controller.abort();
  };
  const dispose = () => {
    process.off('SIGINT', onSignal);
    process.off('SIGTERM', onSignal);
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  return { signal: controller.signal, [Symbol.dispose]: dispose };
}
