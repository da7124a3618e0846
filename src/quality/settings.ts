// The thresholds of the rules: every number in their definitions is one of these.

export interface RuleSetting {
  readonly default: number;
  readonly unit: string;
  readonly doc: string;
}

export const RULE_SETTINGS = {
  'stale-periods': { default: 3, unit: 'periods', doc: 'An asset is stale after more periods than this without a bar' },
  'spike-returns': {
    default: 8,
    unit: 'median absolute log returns',
    doc: 'Both returns of a spike are larger than this many median absolute log returns of the closes around it',
  },
  'spike-factor': { default: 1.5, unit: 'factor', doc: 'Both returns of a spike are larger than this factor' },
  'spike-window': {
    default: 60,
    unit: 'closes',
    doc: 'Closes around a spike that the median is taken of, half of them before it and half after it',
  },
  'shift-factor': { default: 5, unit: 'factor', doc: 'The jump of a shift is larger than this factor' },
  'shift-window': { default: 10, unit: 'closes', doc: 'Closes before and after a shift that medians are taken of' },
  'shift-share': {
    default: 0.8,
    unit: 'share of the jump',
    doc: 'The medians before and after a shift differ by at least this share of the jump, in logarithms',
  },
  'flat-closes': { default: 10, unit: 'closes', doc: 'This many equal closes in a row are a finding' },
  'volume-factor': { default: 100, unit: 'medians', doc: 'A volume above this many medians is a finding' },
  'volume-window': {
    default: 60,
    unit: 'volumes',
    doc: 'Volumes around a bar that the median is taken of, half of them before it and half after it',
  },
  'disagree-percent': {
    default: 5,
    unit: 'percent',
    doc: 'Two sources disagree if the larger close exceeds the smaller one by more than this',
  },
} as const satisfies Readonly<Record<string, RuleSetting>>;

export type RuleSettingName = keyof typeof RULE_SETTINGS;

export type RuleSettings = Readonly<Record<RuleSettingName, number>>;

const names = Object.keys(RULE_SETTINGS) as RuleSettingName[]; // the keys of a constant

export const DEFAULT_RULE_SETTINGS = Object.freeze(
  Object.fromEntries(names.map(name => [name, RULE_SETTINGS[name].default])),
) as RuleSettings; // one per name
