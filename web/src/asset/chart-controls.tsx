// What the chart shows, as buttons: range, style, panes, scale, averages.

import { inPeriods, listedInterval } from '../interval.ts';
import { AVERAGES, type Average, type ChartState, type Flag, rangesOf, STYLES, toggleAverage } from './chart-state.ts';
import { Swatch } from './swatch.tsx';

interface ChartControlsProps {
  readonly state: ChartState;
  /** Windows of the averages that there are. */
  readonly windows: Readonly<Record<Average, readonly number[]>>;
  /** Windows in words, by column, if they are not of days. */
  readonly texts: ReadonlyMap<string, string>;
  readonly onChange: (state: ChartState) => void;
}

const SWITCHES: readonly { readonly flag: Flag; readonly label: string; readonly title: string }[] = [
  { flag: 'volume', label: 'Volume', title: 'Traded units of the asset' },
  { flag: 'bands', label: 'Bollinger', title: 'Bollinger bands: sma20 ± 2·√var20' },
  { flag: 'rsi', label: 'RSI', title: 'Relative strength index of 14 days' },
  { flag: 'macd', label: 'MACD', title: 'Moving average convergence divergence: 12, 26 and 9 days' },
];

interface MainControlsProps extends Omit<ChartControlsProps, 'windows' | 'texts'> {
  /** The box that chooses the assets to compare with. */
  readonly children: preact.ComponentChildren;
}

/** Prices of one asset, which have bars and indicators. */
function isPlain({ vs, style }: ChartState): boolean {
  return vs.length === 0 && style !== 'drawdown';
}

/** Above the chart, also on a phone. */
export function MainControls({ state, onChange, children }: MainControlsProps) {
  const comparing = state.vs.length > 0;
  /** A comparison has lines in place of candles. */
  const style = comparing && state.style === 'candles' ? 'line' : state.style;
  return (
    <div class="chart-controls">
      <Choice
        legend="Range"
        options={rangesOf(state.interval)}
        chosen={state.range}
        onChoose={range => onChange({ ...state, range })}
      />
      <Choice
        legend="Style"
        options={comparing ? STYLES.slice(1) : STYLES}
        chosen={style}
        onChoose={chosen => onChange({ ...state, style: chosen })}
      />
      {children}
    </div>
  );
}

/** Beside them; on a phone, below the chart. */
export function MoreControls({ state, onChange }: Omit<ChartControlsProps, 'windows' | 'texts'>) {
  const plain = isPlain(state);
  return (
    <div class="chart-controls more">
      {state.style !== 'drawdown' && (
        <fieldset>
          <legend>Scale</legend>
          <Toggle
            label="Log"
            title="Equal distances are equal ratios"
            pressed={state.log}
            onClick={() => onChange({ ...state, log: !state.log })}
          />
        </fieldset>
      )}
      {plain && (
        <fieldset>
          <legend>Indicators</legend>
          {SWITCHES.map(({ flag, label, title }) => (
            <Toggle
              key={flag}
              label={label}
              title={inPeriods(title, listedInterval(state.interval))}
              pressed={state[flag]}
              onClick={() => onChange({ ...state, [flag]: !state[flag] })}
            />
          ))}
        </fieldset>
      )}
    </div>
  );
}

/** Below the chart, which must not begin far down the page. */
export function AverageControls({ state, windows, texts, onChange }: ChartControlsProps) {
  if (!isPlain(state)) return null;
  return (
    <div class="chart-controls averages">
      {AVERAGES.map(
        kind =>
          windows[kind].length > 0 && (
            <fieldset key={kind}>
              <legend>{kind === 'sma' ? 'Simple averages' : 'Exponential averages'}</legend>
              {windows[kind].map(window => (
                <Toggle
                  key={window}
                  label={String(window)}
                  title={`${kind.toUpperCase()} of ${texts.get(`${kind}${window}`) ?? `${window} days`}`}
                  name={`${kind.toUpperCase()} ${window}`}
                  swatch={`--${kind}-${window}`}
                  pressed={state[kind].includes(window)}
                  onClick={() => onChange(toggleAverage(state, kind, window))}
                />
              ))}
            </fieldset>
          ),
      )}
    </div>
  );
}

interface ChoiceProps<Id extends string> {
  readonly legend: string;
  readonly options: readonly { readonly id: Id; readonly label: string; readonly title: string }[];
  readonly chosen: Id;
  readonly onChoose: (id: Id) => void;
}

function Choice<Id extends string>({ legend, options, chosen, onChoose }: ChoiceProps<Id>) {
  return (
    <fieldset>
      <legend>{legend}</legend>
      {options.map(({ id, label, title }) => (
        <Toggle key={id} label={label} title={title} pressed={id === chosen} onClick={() => onChoose(id)} />
      ))}
    </fieldset>
  );
}

interface ToggleProps {
  readonly label: string;
  readonly title: string;
  readonly pressed: boolean;
  /** For screen readers, where the label alone is not enough. */
  readonly name?: string;
  /** Of the line that it draws. */
  readonly swatch?: string;
  readonly onClick: () => void;
}

function Toggle({ label, title, pressed, name, swatch, onClick }: ToggleProps) {
  return (
    <button type="button" title={title} aria-label={name} aria-pressed={pressed} onClick={onClick}>
      {swatch !== undefined && <Swatch colour={swatch} />}
      {label}
    </button>
  );
}
