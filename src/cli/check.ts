// `tidemark check`: what a careful analyst would doubt about the stored bars, by the rules of src/quality/.

import type { Asset } from '../domain/asset.ts';
import { type Day, FIRST_DAY, isoFromDay, LAST_DAY } from '../domain/day.ts';
import { type Finding, RULE_NAMES, type RuleName } from '../domain/finding.ts';
import { check } from '../quality/check.ts';
import { DEFAULT_RULE_SETTINGS } from '../quality/settings.ts';
import type { StoreView } from '../store/store.ts';
import { readingStore } from './actions.ts';
import { type Command, UsageError } from './command.ts';
import { namedAsset } from './named-asset.ts';
import { count, counted, duration, styled, table } from './terminal.ts';

const SHOWN = 40;

/** A finding, with its asset. */
interface AssetFinding {
  readonly id: string;
  readonly symbol: string;
  readonly day: string;
  readonly rule: RuleName;
  readonly value: number;
  readonly expected: number;
  readonly detail: string;
}

export const checkCommand: Command = {
  name: 'check',
  summary: 'List what looks wrong in the stored bars: gaps, spikes, shifts of the level and more',
  usage: ['[--asset ASSET] [--rule RULE]'],
  maxArgs: 0,
  settings: ['store'],
  options: {
    asset: { placeholder: 'ASSET', doc: 'One asset, by its id or ticker (default: all)' },
    rule: { placeholder: 'RULE', doc: `One rule: ${RULE_NAMES.join(', ')} (default: all)` },
  },
  about: `
Reads every bar and applies the rules of docs/explanation/findings.md. Nothing is changed. The newest ${SHOWN} findings are listed; --json has all of
them, by asset and day. Exits with 1 if there are findings.`,
  async run({ config, options, output }) {
    const began = performance.now();
    const rule = ruleOf(options['rule']);
    return readingStore(config.store, output, async store => {
      const { findings, bars, assets } = await store.readConsistently(view => checkAll(view, options['asset'], rule));
      if (output.json) output.print(JSON.stringify({ assets, bars, findings }, null, 2));
      else {
        if (findings.length > 0) output.print(`${countTable(findings)}\n\n${findingTable(findings)}\n`);
        const took = duration(performance.now() - began);
        const verdict = findings.length === 0 ? styled('green', 'no findings') : counted(findings.length, 'finding');
        output.print(`${counted(bars, 'bar')} of ${counted(assets, 'asset')} checked in ${took}: ${verdict}`);
      }
      return findings.length === 0 ? 0 : 1;
    });
  },
};

function ruleOf(option: unknown): RuleName | null {
  if (option === undefined) return null;
  const rule = RULE_NAMES.find(name => name === option);
  if (rule === undefined) throw new UsageError(`--rule: expected one of ${RULE_NAMES.join(', ')}`);
  return rule;
}

interface Checked {
  readonly assets: number;
  readonly bars: number;
  readonly findings: readonly AssetFinding[];
}

async function checkAll(view: StoreView, name: unknown, rule: RuleName | null): Promise<Checked> {
  const all = (await view.assets()).filter(({ bars }) => bars > 0);
  const newest = all.reduce((latest, { lastDay }) => Math.max(latest, lastDay ?? 0), 0);
  const chosen = typeof name === 'string' ? [namedAsset(all, name)] : all;
  const findings: AssetFinding[] = [];
  let bars = 0;
  for (const asset of chosen) {
    const found = await findingsOf(view, asset, newest);
    bars += asset.bars;
    for (const each of found) if (rule === null || each.rule === rule) findings.push(ofAsset(asset, each));
  }
  return { assets: chosen.length, bars, findings };
}

async function findingsOf(view: StoreView, { assetNumber, delisted }: Asset, newest: number): Promise<Finding[]> {
  const { day, ...numbers } = await view.bars(assetNumber, FIRST_DAY, LAST_DAY);
  const served = { source: null, period: day, ...numbers };
  return check({ served, sources: [served], newest: delisted ? null : newest }, DEFAULT_RULE_SETTINGS);
}

function ofAsset({ id, symbol }: Asset, { rule, period, value, expected, detail }: Finding): AssetFinding {
  return { id, symbol, day: isoFromDay(period as Day), rule, value, expected, detail }; // a day of a stored bar, or beside one
}

function countTable(findings: readonly AssetFinding[]): string {
  const rows = RULE_NAMES.flatMap(rule => {
    const own = findings.filter(each => each.rule === rule);
    return own.length === 0 ? [] : [[rule, count(own.length), count(new Set(own.map(({ id }) => id)).size)]];
  });
  return table(['rule', '>findings', '>assets'], rows);
}

function findingTable(findings: readonly AssetFinding[]): string {
  const newest = findings.toSorted((a, b) => (a.day < b.day ? 1 : a.day > b.day ? -1 : 0));
  const rows = newest.slice(0, SHOWN).map(({ day, id, rule, value, detail }) => [day, id, rule, String(value), detail]);
  if (findings.length > SHOWN) rows.push(['…', `${count(findings.length - SHOWN)} more`, '', '', '']);
  return table(['day', 'asset', 'rule', '>value', 'finding'], rows);
}
