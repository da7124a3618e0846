// The market of a past day: the field that chooses the day, and the banner that says so.

import { newestDay } from '../new-data.ts';
import { dayChanges, type View } from './view.ts';

interface Props {
  readonly view: View;
  readonly onChange: (changes: Partial<View>) => void;
}

export function AsOfField({ view, onChange }: Props) {
  return (
    <label class="as-of" title="The listing as it was at the end of this UTC day, delisted assets included">
      <span>As of</span>
      <input
        type="date"
        value={view.asOf ?? ''}
        max={newestDay.value ?? undefined}
        onChange={event => onChange(dayChanges(view, event.currentTarget.value || null))}
      />
    </label>
  );
}

export function AsOfBanner({ view, onChange }: Props) {
  if (view.asOf === null) return null;
  return (
    <aside class="as-of-banner" aria-label="A past day">
      <span>
        The market of <strong>{view.asOf}</strong>, with the assets of that day, computed from closes up to that day
        only. Ranks and market caps have no history.
      </span>
      <button type="button" onClick={() => onChange(dayChanges(view, null))}>
        Back to today
      </button>
    </aside>
  );
}
