// `tidemark check`: what a careful analyst would doubt about the stored bars, by the rules of src/quality/.

import type { Asset } from '../domain/asset.ts';
import { RULE_NAMES, type RuleName } from '../domain/finding.ts';
import { periodText } from '../domain/period-text.ts';
import { asOnlyWriter } from '../ingest/only-writer.ts';
import { checkAgain } from '../publish/checks.ts';
import { recomputePending } from '../publish/publish-pending.ts';
import type { FindingState } from '../publish/review.ts';
import type { Store } from '../store/store.ts';
import { readingStore } from './actions.ts';
import { type Command, type Output, UsageError } from './command.ts';
import { namedAsset } from './named-asset.ts';
import { readFindings } from './review-work.ts';
import { count, counted, styled, table } from './terminal.ts';

const SHOWN = 40;

/** A finding, with its asset. */
interface AssetFinding {
  readonly finding: string;
  readonly id: string;
  readonly symbol: string;
  readonly interval: string;
  readonly period: string;
  readonly rule: RuleName;
  readonly value: number;
  readonly expected: number;
  readonly source: string | null;
  readonly detail: string;
  readonly state: FindingState;
}

export const checkCommand: Command = {
  name: 'check',
  summary: 'List what looks wrong in the stored bars: gaps, spikes, shifts of the level and more',
  usage: ['[--asset ASSET] [--rule RULE] [--all] [--again]'],
  maxArgs: 0,
  settings: ['store'],
  options: {
    asset: { placeholder: 'ASSET', doc: 'One asset, by its id or ticker (default: all)' },
    rule: { placeholder: 'RULE', doc: `One rule: ${RULE_NAMES.join(', ')} (default: all)` },
    all: { doc: 'Also findings that were accepted or corrected' },
    again: { doc: 'Check all bars again first, and publish the result' },
  },
  about: `
Lists the findings that are open, by the rules of docs/explanation/findings.md. Every publication checks the bars that have changed, and
stores what it finds. The newest ${SHOWN} findings are listed; --json has all of them, by asset and period. Exits with 1 if there are any.

'tidemark accept FINDING --reason TEXT' closes one, 'tidemark correct' corrects the bar.`,
  async run({ config, options, output }) {
    const rule = ruleOf(options['rule']);
    return readingStore(config.store, output, async store => {
      if (options['again'] === true) await repeat(store);
      const all = await store.assets();
      const name = options['asset'];
      const chosen = typeof name === 'string' ? namedAsset(all, name) : null;
      const found = (await findingsOf(store, chosen)).filter(
        each => (rule === null || each.rule === rule) && (options['all'] === true || each.state === 'open'),
      );
      const assets = chosen === null ? all.filter(({ bars }) => bars > 0).length : 1;
      print(found, assets, output);
      return found.length === 0 ? 0 : 1;
    });
  },
};

function repeat(store: Store): Promise<void> {
  return asOnlyWriter(store, async () => {
    await checkAgain(store);
    await recomputePending(store);
  });
}

function ruleOf(option: unknown): RuleName | null {
  if (option === undefined) return null;
  const rule = RULE_NAMES.find(name => name === option);
  if (rule === undefined) throw new UsageError(`--rule: expected one of ${RULE_NAMES.join(', ')}`);
  return rule;
}

async function findingsOf(store: Store, asset: Asset | null): Promise<AssetFinding[]> {
  const { findings, assets, nameOf } = await readFindings(store, asset?.assetNumber);
  return findings.flatMap(each => {
    const own = assets.get(each.assetNumber);
    if (own === undefined) return [];
    const { interval, rule, value, expected, source, detail, state } = each;
    const period = periodText(interval, each.period);
    const { id, symbol } = own;
    return [
      {
        finding: nameOf(each),
        id,
        symbol,
        interval,
        period,
        rule,
        value,
        expected,
        source: source || null,
        detail,
        state,
      },
    ];
  });
}

function print(found: readonly AssetFinding[], assets: number, output: Output): void {
  if (output.json) {
    // Line by line: the findings of a large store may be longer than a text can be.
    output.print(`{\n  "assets": ${assets},\n  "findings": [`);
    for (const [i, each] of found.entries()) output.print(`    ${i === 0 ? '' : ', '}${JSON.stringify(each)}`);
    output.print('  ]\n}');
    return;
  }
  const checked = counted(assets, 'asset');
  if (found.length === 0) output.print(`${checked}: ${styled('green', 'no findings')}`);
  else
    output.print(`${countTable(found)}\n\n${findingTable(found)}\n\n${checked}: ${counted(found.length, 'finding')}`);
}

function countTable(found: readonly AssetFinding[]): string {
  const byRule = Map.groupBy(found, each => each.rule);
  const rows = RULE_NAMES.flatMap(rule => {
    const own = byRule.get(rule);
    return own === undefined ? [] : [[rule, count(own.length), count(new Set(own.map(({ id }) => id)).size)]];
  });
  return table(['rule', '>findings', '>assets'], rows);
}

function findingTable(found: readonly AssetFinding[]): string {
  // A double has up to 17 digits; the others say nothing to people.
  const shown = (value: number) => String(Number(value.toPrecision(9)));
  const newest = found.toSorted((a, b) => (a.period < b.period ? 1 : a.period > b.period ? -1 : 0)).slice(0, SHOWN);
  const stated = found.some(({ state }) => state !== 'open');
  const rows = newest.map(each => [each.finding, shown(each.value), ...(stated ? [each.state] : []), each.detail]);
  if (found.length > SHOWN) rows.push(['…', '', ...(stated ? [''] : []), `${count(found.length - SHOWN)} more`]);
  return table(['finding', '>value', ...(stated ? ['state'] : []), 'what'], rows);
}
