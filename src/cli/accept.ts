// `tidemark accept`: closes a finding that somebody has looked at.

import { parseFindingName, type ReviewedFinding } from '../publish/review.ts';
import type { Store } from '../store/store.ts';
import { withStore } from './actions.ts';
import { type Command, CommandError, UsageError } from './command.ts';
import { onlyAsset } from './named-asset.ts';
import { type NamedFindings, published, REASON, readFindings, reasonOf } from './review-work.ts';

/** Names that an error message lists. */
const LISTED = 5;

export const acceptCommand: Command = {
  name: 'accept',
  summary: 'Close a finding that you have looked at',
  usage: ['FINDING --reason TEXT'],
  maxArgs: 1,
  settings: ['store'],
  options: { reason: REASON },
  about: `
'tidemark check' lists the names of findings, such as spike:btc-bitcoin:2024-03-01. An accepted finding stays accepted when the bars are
checked again, and no number changes. 'tidemark acceptances' lists what was accepted, 'tidemark acceptances undo FINDING' opens it again.`,
  async run(invocation) {
    const { args, config, output } = invocation;
    const name = args[0];
    if (name === undefined) throw new UsageError('accept needs a finding, such as spike:btc-bitcoin:2024-03-01');
    const reason = reasonOf(invocation);
    return withStore(config.store, false, async store => {
      const found = await namedFinding(store, name, config.store);
      const { recomputed } = await published(store, () => store.accept(found.finding, reason));
      const accepted = found.nameOf(found.finding);
      const { version } = recomputed;
      output.print(
        output.json
          ? JSON.stringify({ finding: accepted, reason, version })
          : `${accepted} accepted, version ${version} published`,
      );
      return 0;
    });
  },
};

async function namedFinding(
  store: Store,
  name: string,
  url: string,
): Promise<NamedFindings & { readonly finding: ReviewedFinding }> {
  const parsed = parseFindingName(name);
  if (parsed === null) {
    throw new UsageError(
      `${JSON.stringify(name)} is not the name of a finding; expected RULE:ASSET:DAY such as spike:btc-bitcoin:2024-03-01, or spike:btc-bitcoin:1h:2024-03-01T05:00`,
    );
  }
  const asset = onlyAsset(await store.assets(), parsed.asset, url);
  const all = await readFindings(store, asset.assetNumber);
  const { rule, interval, period, source } = parsed;
  const matching = all.findings.filter(
    each =>
      each.rule === rule &&
      each.interval === interval &&
      each.period === period &&
      (source === null || each.source === source),
  );
  const [finding] = matching;
  if (finding === undefined) throw new CommandError(`unknown finding ${name}`, nearby(all));
  if (matching.length > 1) {
    const names = matching.map(all.nameOf).join(', ');
    throw new CommandError(`several sources have a finding ${name}`, `Name one of them: ${names}.`);
  }
  return { ...all, finding };
}

function nearby({ findings, nameOf }: NamedFindings): string {
  const open = findings.filter(({ state }) => state === 'open');
  if (open.length === 0) return 'The asset has no open finding.';
  const names = open.slice(-LISTED).map(nameOf).join(', ');
  return open.length > LISTED
    ? `The newest open ones of the asset: ${names}.`
    : `The open ones of the asset: ${names}.`;
}
