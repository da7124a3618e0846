// `tidemark check`: what a careful analyst would doubt about the stored bars, by the rules of src/quality/.

import type { Asset } from '../domain/asset.ts';
import { type Day, FIRST_DAY, isoFromDay, LAST_DAY } from '../domain/day.ts';
import { type Finding, RULE_NAMES, type RuleName } from '../domain/finding.ts';
import { check } from '../quality/check.ts';
import { DEFAULT_RULE_SETTINGS } from '../quality/settings.ts';
import type { StoreView } from '../store/store.ts';
import { readingStore } from './actions.ts';
import { type Command, type Output, UsageError } from './command.ts';
import { namedAsset } from './named-asset.ts';
import { ProgressLine } from './progress.ts';
import { count, counted, duration, styled, table } from './terminal.ts';

const SHOWN = 40;
/** A store has one bar per asset and day, whichever source it is of: sources cannot disagree in it. */
const RULES = RULE_NAMES.filter(name => name !== 'disagree');

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
    rule: { placeholder: 'RULE', doc: `One rule: ${RULES.join(', ')} (default: all)` },
  },
  about: `
Reads every bar and applies the rules of docs/explanation/findings.md. Nothing is changed. The newest ${SHOWN} findings are listed; --json has all of
them, by asset and day. Exits with 1 if there are findings.`,
  async run({ config, options, output }) {
    const began = performance.now();
    const rule = ruleOf(options['rule']);
    return readingStore(config.store, output, store =>
      store.readConsistently(async view => {
        const all = await view.assets();
        const name = options['asset'];
        const chosen = typeof name === 'string' ? [namedAsset(all, name)] : all.filter(({ bars }) => bars > 0);
        const bars = chosen.reduce((sum, asset) => sum + asset.bars, 0);
        const report = output.json ? new JsonReport(output, chosen.length, bars) : new Summary();
        await checkEach(view, chosen, newestDay(all), output, found =>
          report.add(rule === null ? found : found.filter(each => each.rule === rule)),
        );
        const took = duration(performance.now() - began);
        output.print(report.end(`${counted(bars, 'bar')} of ${counted(chosen.length, 'asset')} checked in ${took}`));
        return report.count === 0 ? 0 : 1;
      }),
    );
  },
};

function ruleOf(option: unknown): RuleName | null {
  if (option === undefined) return null;
  const rule = RULES.find(name => name === option);
  if (rule === undefined) throw new UsageError(`--rule: expected one of ${RULES.join(', ')}`);
  return rule;
}

function newestDay(assets: readonly Asset[]): number {
  return assets.reduce((latest, { lastDay }) => Math.max(latest, lastDay ?? 0), 0);
}

async function checkEach(
  view: StoreView,
  assets: readonly Asset[],
  newest: number,
  output: Output,
  take: (found: readonly AssetFinding[]) => void,
): Promise<void> {
  using progress = new ProgressLine(output);
  let [done, read] = [0, 0];
  for (const asset of assets) {
    const { day, ...numbers } = await view.bars(asset.assetNumber, FIRST_DAY, LAST_DAY);
    const served = { source: null, period: day, ...numbers };
    const bars = { served, sources: [served], newest: asset.delisted ? null : newest };
    take(check(bars, DEFAULT_RULE_SETTINGS).map(finding => ofAsset(asset, finding)));
    done++;
    read += asset.bars;
    progress.update({ phase: 'bars', done, total: assets.length, unit: 'assets', read, rejected: 0 });
  }
}

function ofAsset({ id, symbol }: Asset, { rule, period, value, expected, detail }: Finding): AssetFinding {
  return { id, symbol, day: isoFromDay(period as Day), rule, value, expected, detail }; // a day of a stored bar, or beside one
}

/** One document, printed asset by asset: the findings of a large store may be longer than a text can be. */
class JsonReport {
  count = 0;
  readonly #output: Output;

  constructor(output: Output, assets: number, bars: number) {
    this.#output = output;
    output.print(`{\n  "assets": ${assets},\n  "bars": ${bars},\n  "findings": [`);
  }

  add(found: readonly AssetFinding[]): void {
    for (const each of found) this.#output.print(`    ${this.count++ === 0 ? '' : ', '}${JSON.stringify(each)}`);
  }

  end(): string {
    return '  ]\n}';
  }
}

/** For people: how many findings each rule has, and the newest of them. */
class Summary {
  count = 0;
  readonly #counts = new Map<RuleName, { findings: number; assets: number }>();
  #newest: readonly AssetFinding[] = [];

  add(found: readonly AssetFinding[]): void {
    if (found.length === 0) return;
    this.count += found.length;
    for (const [rule, own] of Map.groupBy(found, each => each.rule)) {
      const { findings, assets } = this.#counts.get(rule) ?? { findings: 0, assets: 0 };
      this.#counts.set(rule, { findings: findings + own.length, assets: assets + 1 });
    }
    const byDay = [...this.#newest, ...found].sort((a, b) => (a.day < b.day ? 1 : a.day > b.day ? -1 : 0));
    this.#newest = byDay.slice(0, SHOWN);
  }

  end(checked: string): string {
    if (this.count === 0) return `${checked}: ${styled('green', 'no findings')}`;
    return `${this.#countTable()}\n\n${this.#findingTable()}\n\n${checked}: ${counted(this.count, 'finding')}`;
  }

  #countTable(): string {
    const rows = RULES.flatMap(rule => {
      const own = this.#counts.get(rule);
      return own === undefined ? [] : [[rule, count(own.findings), count(own.assets)]];
    });
    return table(['rule', '>findings', '>assets'], rows);
  }

  #findingTable(): string {
    // A double has up to 17 digits; the others say nothing to people.
    const shown = (value: number) => String(Number(value.toPrecision(9)));
    const rows = this.#newest.map(({ day, id, rule, value, detail }) => [day, id, rule, shown(value), detail]);
    if (this.count > SHOWN) rows.push(['…', `${count(this.count - SHOWN)} more`, '', '', '']);
    return table(['day', 'asset', 'rule', '>value', 'finding'], rows);
  }
}
