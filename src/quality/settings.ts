// The thresholds of the rules: every number in their definitions is one of these.

import { nearest } from '../common/nearest.ts';

export interface RuleSetting {
  readonly default: number;
  /** Of a count, which is a whole number; otherwise it is greater than `above`. */
  readonly min?: number;
  readonly above?: number;
  readonly max: number;
  readonly unit: string;
  readonly doc: string;
}

export const RULE_SETTINGS = {
  'stale-periods': {
    default: 3,
    min: 1,
    max: 100_000,
    unit: 'periods',
    doc: 'An asset is stale after more periods than this without a bar',
  },
  'spike-returns': {
    default: 8,
    above: 0,
    max: 1000,
    unit: 'median absolute log returns',
    doc: 'Both returns of a spike are larger than this many median absolute log returns of the closes around it',
  },
  'spike-factor': {
    default: 1.5,
    above: 1,
    max: 1_000_000,
    unit: 'factor',
    doc: 'Both returns of a spike are larger than this factor',
  },
  'spike-window': {
    default: 60,
    min: 4,
    max: 1000,
    unit: 'closes',
    doc: 'Closes around a spike that the median is taken of, half of them before it and half after it',
  },
  'shift-factor': {
    default: 5,
    above: 1,
    max: 1_000_000,
    unit: 'factor',
    doc: 'The jump of a shift is larger than this factor',
  },
  'shift-window': {
    default: 10,
    min: 1,
    max: 1000,
    unit: 'closes',
    doc: 'Closes before and after a shift that medians are taken of',
  },
  'shift-share': {
    default: 0.8,
    above: 0,
    max: 1,
    unit: 'share of the jump',
    doc: 'The medians before and after a shift differ by at least this share of the jump, in logarithms',
  },
  'flat-closes': {
    default: 10,
    min: 2,
    max: 10_000,
    unit: 'closes',
    doc: 'This many equal closes in a row are a finding',
  },
  'volume-factor': {
    default: 100,
    above: 1,
    max: 1_000_000_000,
    unit: 'medians',
    doc: 'A volume above this many medians is a finding',
  },
  'volume-window': {
    default: 60,
    min: 4,
    max: 1000,
    unit: 'volumes',
    doc: 'Volumes around a bar that the median is taken of, half of them before it and half after it',
  },
  'disagree-percent': {
    default: 5,
    above: 0,
    max: 1_000_000,
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

/** The thresholds that an object has, and the defaults of the others. A value that is not possible is ignored: another version wrote it. */
export function parseRuleSettings(stored: unknown): RuleSettings {
  const given = typeof stored === 'object' && stored !== null ? (stored as Readonly<Record<string, unknown>>) : {};
  const value = (name: RuleSettingName) => {
    const number = given[name];
    return typeof number === 'number' && isPossible(RULE_SETTINGS[name], number) ? number : DEFAULT_RULE_SETTINGS[name];
  };
  return Object.fromEntries(names.map(name => [name, value(name)])) as RuleSettings; // one per name
}

/** `flat-closes=20,spike-factor=2`: all thresholds, with the defaults of those that are not named. Fails with what would be right. */
export function ruleSettingsOf(text: string): RuleSettings {
  const given = text.split(',').map(item => {
    const [name = '', value = ''] = item.split('=').map(part => part.trim());
    if (!isName(name)) throw new RangeError(`unknown threshold ${JSON.stringify(name)}${hint(name)}`);
    const [setting, number] = [RULE_SETTINGS[name] as RuleSetting, Number(value)];
    if (value === '' || !isPossible(setting, number)) throw new RangeError(`${name}: expected ${rangeText(setting)}`);
    return [name, number] as const;
  });
  return Object.freeze({ ...DEFAULT_RULE_SETTINGS, ...Object.fromEntries(given) });
}

function isName(name: string): name is RuleSettingName {
  return Object.hasOwn(RULE_SETTINGS, name);
}

function hint(name: string): string {
  const meant = nearest(name, names);
  return meant === null ? `; the thresholds are ${names.join(', ')}` : `; did you mean ${meant}?`;
}

function isPossible({ min, above, max }: RuleSetting, value: number): boolean {
  if (min !== undefined) return Number.isInteger(value) && value >= min && value <= max;
  return value > (above ?? 0) && value <= max;
}

/** `a whole number from 2 to 10000` */
export function rangeText({ min, above, max }: RuleSetting): string {
  return min === undefined ? `a number above ${above ?? 0}, at most ${max}` : `a whole number from ${min} to ${max}`;
}
