// The market of a past day, on every page: the field that chooses the day, and the banner that says so.

import { useEffect, useRef, useState } from 'preact/hooks';
import { findFirstDay, firstDay, newestDay } from '../new-data.ts';

interface Props {
  /** Null: the newest closes. */
  readonly day: string | null;
  readonly onDay: (day: string | null) => void;
}

/** Milliseconds without a key after which a day out of bounds is a mistake: a year is typed digit by digit. */
const PAUSE = 1200;

export function AsOfField({ day, onDay }: Props) {
  const [text, setText] = useState(day ?? '');
  const [mistake, setMistake] = useState('');
  const timer = useRef(0);
  const latest = useRef(day ?? '');
  useEffect(() => {
    setText(day ?? '');
    setMistake('');
  }, [day]);
  useEffect(() => () => clearTimeout(timer.current), []);

  /** `isWhole`: nothing more is typed. */
  function take(value: string, isWhole: boolean): void {
    clearTimeout(timer.current);
    latest.current = value;
    // The first day may still be on its way.
    if (value === '' || firstDay.value !== null) decide(value, isWhole);
    else void findFirstDay().then(() => latest.current === value && decide(value, isWhole));
  }

  function decide(value: string, isWhole: boolean): void {
    const wrong = value === '' ? '' : outOfBounds(value);
    setMistake(isWhole ? wrong : '');
    if (wrong === '' && value !== (day ?? '')) onDay(value || null);
    else if (wrong !== '' && !isWhole) timer.current = setTimeout(() => decide(value, true), PAUSE);
  }

  return (
    <div class="as-of" title="The market as it was at the end of this UTC day, delisted assets included">
      <label for="as-of">As of</label>
      <input
        id="as-of"
        type="date"
        value={text}
        max={newestDay.value ?? undefined}
        aria-invalid={mistake !== ''}
        aria-describedby="as-of-mistake"
        onFocus={() => void findFirstDay()}
        onInput={event => {
          setText(event.currentTarget.value);
          take(event.currentTarget.value, false);
        }}
        onBlur={event => take(event.currentTarget.value, true)}
      />
      <span id="as-of-mistake" class="field-error" role="alert">
        {mistake}
      </span>
    </div>
  );
}

/** What is wrong with a day; empty if nothing is. A year of fewer than four digits is still being typed. */
function outOfBounds(day: string): string {
  const [first, newest] = [firstDay.value ?? '1000', newestDay.value ?? '9999'];
  if (day < first) return `Data starts on ${first}.`;
  return day > newest ? `The newest close is of ${newest}.` : '';
}

interface BannerProps extends Props {
  /** What is shown of the day. */
  readonly children: preact.ComponentChildren;
}

export function AsOfBanner({ day, onDay, children }: BannerProps) {
  if (day === null) return null;
  return (
    <aside class="as-of-banner" aria-label="A past day">
      <span>{children}</span>
      <button type="button" onClick={() => onDay(null)}>
        Back to today
      </button>
    </aside>
  );
}
