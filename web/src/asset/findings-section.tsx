// The findings about an asset's bars and its actions, as a list below the chart.

import { useEffect, useRef } from 'preact/hooks';
import type { Interval } from '../interval.ts';
import { quoteParam } from '../quote.ts';
import { formatPeriodInZone } from '../time-form.ts';
import type { Mark } from './marks.ts';
import './findings.css';

/** Rows before the others are folded away. */
const SHOWN = 5;

export function FindingsSection({ marks }: { readonly marks: readonly Mark[] }) {
  const section = useRef<HTMLElement>(null);
  const isEmpty = marks.length === 0;
  // The list comes after the page that the address leads to.
  useEffect(() => {
    if (!isEmpty && location.hash === '#findings') section.current?.focus();
  }, [isEmpty]);
  if (isEmpty) return null;
  const rest = marks.slice(SHOWN);
  return (
    <section ref={section} id="findings" class="findings card" aria-labelledby="findings-title" tabIndex={-1}>
      <h2 id="findings-title">Findings</h2>
      <p class="note">
        What looks doubtful in the bars, by rule. A finding changes no number.
        {quoteParam() !== undefined && ' Prices in this list are in USD, as the sources gave them.'}
      </p>
      <MarkList marks={marks.slice(0, SHOWN)} />
      {rest.length > 0 && (
        <details>
          <summary>{rest.length} more</summary>
          <MarkList marks={rest} />
        </details>
      )}
    </section>
  );
}

function MarkList({ marks }: { readonly marks: readonly Mark[] }) {
  return (
    <ul>
      {marks.map(mark => (
        <li key={`${mark.kind} ${mark.name} ${mark.interval} ${mark.start} ${mark.text}`}>
          <span class={`review-mark ${mark.kind}`}>{mark.name}</span>{' '}
          <time>{formatPeriodInZone(mark.start * 1000, mark.interval as Interval)}</time>
          {mark.state !== 'open' && mark.state !== '' && <span class="badge">{mark.state}</span>}
          <span class="mark-text">{mark.text}</span>
        </li>
      ))}
    </ul>
  );
}
