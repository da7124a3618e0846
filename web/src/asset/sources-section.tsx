// Where the bars of an asset are from: one line, or a comparison if it has several sources.

import type { Sources } from '../../../client/src/index.ts';
import { tidemark } from '../api.ts';
import { momentOf } from '../day.ts';
import { formatCount, formatShare } from '../format.ts';
import { type Interval, intervalParam, isFine, type ListedInterval, secondsOf } from '../interval.ts';
import { ScrollingTable } from '../shell/scrolling-table.tsx';
import { formatPeriodInZone } from '../time-form.ts';
import { useRequest } from '../use-request.ts';
import './sources.css';

const RULES = {
  priority: 'The first source of this list that has a period decides its price (price rule priority).',
  median: 'The price is the median of the sources, weighted by volume (price rule median).',
} as const;

interface Props {
  readonly id: string;
  readonly interval: ListedInterval;
  /** Of the period whose close the page shows, in seconds since 1970. */
  readonly start: number;
}

interface Known {
  readonly sources: Sources;
  /** Those that decided the close that is shown; empty with one source. */
  readonly deciding: readonly string[];
}

/** Nothing until it is known, and nothing if that fails: the prices stand without it. */
export function SourcesSection({ id, interval, start }: Props) {
  const at = momentOf(start * 1000, interval);
  const { value } = useRequest(`${id} ${interval} ${at}`, async signal => {
    const sources = await tidemark.sources(id, { interval: intervalParam(storedInterval(interval)) }, { signal });
    const deciding = sources.result.length < 2 ? [] : await decidedBy(id, interval, at, signal);
    return { sources, deciding };
  });
  if (value === null || value.sources.result.length === 0) return null;
  const [first, ...others] = value.sources.result;
  if (others.length > 0) return <Comparison {...value} close={formatPeriodInZone(start * 1000, interval)} />;
  return (
    <p class="note">
      All bars are from the source <strong>{first!.source}</strong>.
    </p>
  );
}

/** Bars of other intervals are made of these. */
function storedInterval(interval: ListedInterval): Sources['interval'] {
  if (!isFine(interval)) return '1d';
  return secondsOf(interval) < secondsOf('1h') ? '1m' : '1h';
}

async function decidedBy(id: string, interval: ListedInterval, at: string, signal: AbortSignal): Promise<string[]> {
  const query = { as_of: at, interval: intervalParam(interval) };
  const { inputs } = await tidemark.explain(id, 'price', query, { signal });
  return (inputs.at(-1)?.sources ?? []).filter(({ decided }) => decided).map(({ source }) => source);
}

function Comparison({ sources, deciding, close }: Known & { readonly close: string }) {
  const { result, interval, price_rule: rule } = sources;
  return (
    <section class="sources card" aria-labelledby="sources-title">
      <h2 id="sources-title">Sources</h2>
      <p class="note">
        {RULES[rule]}{' '}
        {deciding.length > 0 && (
          <>
            The close of {close} is from <strong>{deciding.join(' and ')}</strong>.
          </>
        )}
      </p>
      <ScrollingTable class="sources-table" label="Comparison of the sources">
        <thead>
          <tr>
            <th scope="col">Source</th>
            <th scope="col">First</th>
            <th scope="col">Last</th>
            <th scope="col">Bars</th>
            <th scope="col" title="Share of periods whose close it decided, alone or with another source">
              Decided
            </th>
            <th scope="col" title="Of its closes from the served ones">
              Median distance
            </th>
            <th scope="col" title="Of its closes from the served ones">
              Largest distance
            </th>
          </tr>
        </thead>
        <tbody>
          {result.map(each => (
            <tr key={each.source}>
              <th scope="row">{each.source}</th>
              <td>{periodText(each.first, interval)}</td>
              <td>{periodText(each.last, interval)}</td>
              <td>{formatCount(each.bars)}</td>
              <td>{percentText(each.decided)}</td>
              <td>{percentText(each.median_distance)}</td>
              <td>{percentText(each.largest_distance)}</td>
            </tr>
          ))}
        </tbody>
      </ScrollingTable>
    </section>
  );
}

function periodText(time: string, interval: Interval): string {
  return formatPeriodInZone(Date.parse(time), interval);
}

function percentText(share: number | null): string {
  return formatShare(share === null ? null : share * 100);
}
