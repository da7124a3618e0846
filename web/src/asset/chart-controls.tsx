// What the chart shows, as buttons: the range of days, the moving averages, the bands, the scale.

import { type ChartState, RANGES, toggleAverage } from './chart-state.ts';
import { Swatch } from './swatch.tsx';

interface ChartControlsProps {
  readonly state: ChartState;
  /** Windows of the averages that there are. */
  readonly windows: readonly number[];
  readonly onChange: (state: ChartState) => void;
}

export function ChartControls({ state, windows, onChange }: ChartControlsProps) {
  return (
    <div class="chart-controls">
      <fieldset>
        <legend>Range</legend>
        {RANGES.map(range => (
          <Toggle
            key={range.id}
            label={range.label}
            title={range.title}
            pressed={state.range === range.id}
            onClick={() => onChange({ ...state, range: range.id })}
          />
        ))}
      </fieldset>
      <fieldset>
        <legend>Moving averages</legend>
        {windows.map(window => (
          <Toggle
            key={window}
            label={String(window)}
            title={`Moving average of ${window} days`}
            swatch={window}
            pressed={state.averages.includes(window)}
            onClick={() => onChange(toggleAverage(state, window))}
          />
        ))}
      </fieldset>
      <fieldset>
        <legend>Show</legend>
        <Toggle
          label="Bollinger bands"
          title="sma20 ± 2·√var20"
          pressed={state.bands}
          onClick={() => onChange({ ...state, bands: !state.bands })}
        />
        <Toggle
          label="Log scale"
          title="Equal distances are equal ratios"
          pressed={state.log}
          onClick={() => onChange({ ...state, log: !state.log })}
        />
      </fieldset>
    </div>
  );
}

interface ToggleProps {
  readonly label: string;
  readonly title: string;
  readonly pressed: boolean;
  /** Window of the average whose colour the button shows. */
  readonly swatch?: number;
  readonly onClick: () => void;
}

function Toggle({ label, title, pressed, swatch, onClick }: ToggleProps) {
  return (
    <button type="button" title={title} aria-pressed={pressed} onClick={onClick}>
      {swatch !== undefined && <Swatch window={swatch} />}
      {label}
    </button>
  );
}
