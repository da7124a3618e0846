// The market of a past day, or of a time of it, on every page: the field that chooses it, and the banner that says so.

import { useEffect, useRef, useState } from 'preact/hooks';
import { intervals } from '../catalog.ts';
import { dayOrNull, momentOf, periodOfMoment } from '../day.ts';
import { type Interval, isFine, shownInterval } from '../interval.ts';
import { findFirstDay, firstDay, newestDay } from '../new-data.ts';
import { formatPeriod, formatPeriodInZone, parseLocalInput, writtenMillis } from '../time-form.ts';

interface Props {
  /** A day, or a time if the interval is finer; null: the newest closes. */
  readonly moment: string | null;
  readonly onMoment: (moment: string | null) => void;
}

/** Milliseconds without a key after which a day out of bounds is a mistake: a year is typed digit by digit. */
const PAUSE = 1200;

export function AsOfField({ moment, onMoment }: Props) {
  const { value: interval } = shownInterval;
  const fine = isFine(interval);
  const shown = moment === null ? '' : inputText(moment, interval);
  const [text, setText] = useState(shown);
  const [mistake, setMistake] = useState('');
  const timer = useRef(0);
  const latest = useRef(shown);
  useEffect(() => {
    setText(shown);
    setMistake('');
  }, [shown]);
  useEffect(() => () => clearTimeout(timer.current), []);

  /** `isWhole`: nothing more is typed. */
  function take(value: string, isWhole: boolean): void {
    clearTimeout(timer.current);
    latest.current = value;
    // The first day may still be on its way.
    if (value === '' || fine || firstDay.value !== null) decide(value, isWhole);
    else void findFirstDay().then(() => latest.current === value && decide(value, isWhole));
  }

  function decide(value: string, isWhole: boolean): void {
    const millis = fine ? parseLocalInput(value) : value === '' ? null : Date.parse(value);
    if (millis === null && value !== '') return;
    const wrong = millis === null ? '' : outOfBounds(millis, interval);
    setMistake(isWhole ? wrong : '');
    if (wrong === '' && value !== shown) onMoment(millis === null ? null : momentOf(millis, interval));
    else if (wrong !== '' && !isWhole) timer.current = setTimeout(() => decide(value, true), PAUSE);
  }

  const [, newest] = bounds(interval);
  return (
    <div class="as-of" title={TITLES[fine ? 'time' : 'day']}>
      <label for="as-of">As of</label>
      <input
        // Another kind of field has another value.
        key={fine ? 'time' : 'day'}
        id="as-of"
        type={fine ? 'datetime-local' : 'date'}
        value={text}
        max={newest === null ? undefined : inputText(momentOf(newest, interval), interval)}
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

const TITLES = {
  day: 'The market as it was at the end of this UTC day, delisted assets included',
  time: 'The market as it was at the end of the period that contains this time, delisted assets included',
} as const;

/** As the field writes it. */
function inputText(moment: string, interval: Interval): string {
  if (!isFine(interval)) return moment;
  const millis = dayOrNull(moment) === null ? Date.parse(moment) : periodOfMoment(moment, interval);
  return new Date(writtenMillis(millis)).toISOString().slice(0, 16);
}

/** Starts of the first and the latest period, in milliseconds; null while unknown. */
function bounds(interval: Interval): readonly [first: number | null, newest: number | null] {
  const span = isFine(interval) ? intervals.value.find(each => each.interval === interval) : undefined;
  const millis = (text: string | null | undefined) => (text == null ? null : Date.parse(text));
  return [millis(span?.first ?? firstDay.value), millis(span?.last ?? newestDay.value)];
}

/** What is wrong with a time; empty if nothing is. A year of fewer than four digits is still being typed. */
function outOfBounds(millis: number, interval: Interval): string {
  const [first, newest] = bounds(interval);
  const period = periodOfMoment(momentOf(millis, interval), interval);
  const text = (start: number) => (isFine(interval) ? formatPeriodInZone : formatPeriod)(start, interval);
  if (period < (first ?? Date.parse('1000-01-01'))) {
    return `Data starts ${isFine(interval) ? 'at' : 'on'} ${text(first ?? 0)}.`;
  }
  return newest !== null && period > newest ? `The newest close is of ${text(newest)}.` : '';
}

/** A day, or a time of it, as a page says it. */
export function momentText(moment: string): string {
  const { value: interval } = shownInterval;
  if (!isFine(interval) || dayOrNull(moment) !== null) return moment;
  return formatPeriodInZone(periodOfMoment(moment, interval), interval);
}

interface BannerProps extends Props {
  /** What is shown of the day. */
  readonly children: preact.ComponentChildren;
}

export function AsOfBanner({ moment, onMoment, children }: BannerProps) {
  if (moment === null) return null;
  return (
    <aside class="as-of-banner" aria-label="A past day">
      <span>{children}</span>
      <button type="button" onClick={() => onMoment(null)}>
        Back to today
      </button>
    </aside>
  );
}
