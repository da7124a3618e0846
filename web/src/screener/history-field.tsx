// The field for the fewest closes that an asset must have, as people type numbers.

import { useEffect, useState } from 'preact/hooks';
import { typedNumber } from '../../../src/common/typed-number.ts';
import { type Interval, inPeriods } from '../interval.ts';

interface Props {
  readonly value: number | null;
  readonly interval: Interval;
  readonly onChange: (value: number | null) => void;
}

export function HistoryField({ value, interval, onChange }: Props) {
  const [text, setText] = useState(String(value ?? ''));
  const [mistake, setMistake] = useState('');
  useEffect(() => setText(String(value ?? '')), [value]);

  function take(typed: string): void {
    const count = typed.trim() === '' ? null : typedNumber(typed);
    const isWrong = typed.trim() !== '' && !(Number.isSafeInteger(count) && Number(count) >= 1);
    setMistake(isWrong ? 'Write a whole number from 1, such as 200.' : '');
    if (!isWrong) onChange(count);
  }

  return (
    <div class="history">
      <label for="fewest-closes">Only assets with at least</label>
      <input
        id="fewest-closes"
        type="text"
        inputMode="numeric"
        autoComplete="off"
        placeholder="any"
        value={text}
        aria-invalid={mistake !== ''}
        aria-describedby="fewest-closes-mistake"
        onInput={event => setText(event.currentTarget.value)}
        onChange={event => take(event.currentTarget.value)}
      />
      <span>{inPeriods('daily closes', interval)} (200 for a full SMA 200)</span>
      <p id="fewest-closes-mistake" class="field-error" role="alert">
        {mistake}
      </p>
    </div>
  );
}
