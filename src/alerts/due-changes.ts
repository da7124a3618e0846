// Which changes a message reports now. An asset that crosses a threshold again and again is reported once per minimum time: what the
// receiver was told is compared with what matches, as soon as that time is over.

import type { AlertDirection } from '../domain/alert.ts';
import type { Matching, Reported } from '../store/store.ts';
import { type Change, changeOf, reportable } from './evaluate.ts';

export interface DueChanges {
  /** Null: nothing to report. */
  readonly report: Change | null;
  /** What to store with the matching assets. */
  readonly reported: readonly Reported[];
  /** Whether that, or the matching assets, differ from what is stored. */
  readonly hasChanged: boolean;
  /** When the first change that is held back may be reported, in milliseconds since 1970; Infinity without any. */
  readonly heldUntil: number;
}

/** `now` are the matching tickers in the order of the query. `at` is the time, in milliseconds since 1970. */
export function dueChanges(
  before: Matching,
  now: readonly string[],
  on: AlertDirection,
  at: number,
  againAfterMs: number,
): DueChanges {
  const known = new Set(before.reported.length === 0 ? [] : before.symbols);
  const heldBack = new Map<string, { readonly matched: boolean; readonly until: number }>();
  // One that is later than now is of a clock that was set back.
  const isRecent = ({ at: sent }: Reported) => sent <= at && at < sent + againAfterMs;
  for (const message of before.reported) {
    const until = isRecent(message) ? message.at + againAfterMs : null;
    for (const [symbols, matched] of [
      [message.entered, true],
      [message.left, false],
    ] as const) {
      for (const symbol of symbols) {
        if (matched) known.add(symbol);
        else known.delete(symbol);
        if (until === null) heldBack.delete(symbol);
        else heldBack.set(symbol, { matched, until });
      }
    }
  }
  const change = changeOf(before.symbols, now);
  // The same sets, unless messages said otherwise.
  const { entered, left } = before.reported.length === 0 ? change : changeOf([...known], now);
  const isFree = (symbol: string) => !heldBack.has(symbol);
  const report = reportable({ entered: entered.filter(isFree), left: left.filter(isFree).sort() }, on);
  const recent = before.reported.filter(isRecent);
  const held = [...entered, ...left].flatMap(symbol => heldBack.get(symbol)?.until ?? []);
  const isOther = change.entered.length + change.left.length > 0 || recent.length !== before.reported.length;
  return {
    report,
    reported: report === null || againAfterMs === 0 ? recent : [...recent, { at, ...report }],
    hasChanged: isOther || report !== null,
    heldUntil: held.reduce((first, until) => Math.min(first, until), Number.POSITIVE_INFINITY),
  };
}
