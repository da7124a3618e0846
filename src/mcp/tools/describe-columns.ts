// The tool `describe_columns`: names, units and formulas of the columns by group, and the language of `where`.

import { type Column, isOptional } from '../../domain/columns.ts';
import { TA_CUR } from '../../domain/datasets.ts';
import { EXPRESSION_GUIDE } from '../expression-guide.ts';
import { columnNames, type Tool } from '../tool.ts';

/** The columns of every row have no group of their own. */
const BASE_GROUPS: Readonly<Record<string, string>> = {
  time: 'price',
  text: 'price',
  price: 'price',
  change: 'change',
  sma: 'average',
  var: 'variance',
  vol: 'volatility',
};

const GROUPS = Map.groupBy(TA_CUR.columns, column =>
  isOptional(column) ? column.group : (BASE_GROUPS[column.kind] ?? column.kind),
);
const EXPRESSIONS = 'expressions';
const INTRO =
  'C₀ is the latest daily close (UTC), Cₙ the close n days earlier. Null if the history is too short, unless stated.';

export const describeColumns: Tool = {
  name: 'describe_columns',
  title: 'Describe columns and expressions',
  description:
    'Names, units and formulas of the columns, by group, and the language of `where`. Call it once before the first screen_assets with an indicator ' +
    'that you do not know. Example: {"group":"change"}. Without arguments: everything. It returns no data.',
  arguments: {
    group: {
      type: 'choice',
      choices: [...GROUPS.keys(), EXPRESSIONS],
      doc: `One group of columns, or ${EXPRESSIONS} for the language of \`where\`.`,
    },
    columns: { type: 'names', names: columnNames(TA_CUR), listed: false, doc: 'Only these columns, such as vol30.' },
  },
  example: () => ({ group: 'change' }),
  check(given) {
    given.one('group');
    given.names('columns');
  },
  run(given) {
    const names = given.names('columns') ?? [];
    const group = given.one('group');
    if (names.length > 0) {
      const columns = names.flatMap(name => TA_CUR.columns.find(column => column.name === name) ?? []);
      return [INTRO, ...columns.map(column => familyText([column]))].join('\n');
    }
    if (group === EXPRESSIONS) return EXPRESSION_GUIDE;
    const groups = [...GROUPS].filter(([name]) => group === undefined || name === group);
    const texts = groups.map(([name, columns]) => [`## ${name}`, ...familiesOf(columns).map(familyText)].join('\n'));
    return [INTRO, ...texts, ...(group === undefined ? [EXPRESSION_GUIDE] : [])].join('\n\n');
  },
};

/** Columns that differ only in the length of their window. */
function familiesOf(columns: readonly Column[]): Column[][] {
  const families = Map.groupBy(columns, ({ name, unit, kind }) => `${kind} ${unit} ${name.replace(/\d+/, '{n}')}`);
  return [...families.values()].flatMap(family => (isGeneral(family) ? [family] : family.map(column => [column])));
}

/** One line: the names, the unit, the formula and the description, with n for a window that differs. */
function familyText(family: readonly Column[]): string {
  const longest = longestOf(family);
  const unit = longest.unit === null ? '' : ` [${longest.unit}]`;
  const written = (text: string) => (family.length === 1 ? text : withN(text, windowOf(longest)));
  const name = longest.name.replace(/\d+/, '{n}');
  const formula = formulaOf(longest);
  return [
    `${family.map(column => column.name).join(' ')}${unit}`,
    formula === '' ? '' : family.length === 1 ? ` = ${formula}.` : `: ${name} = ${written(formula)}.`,
    formula === '' ? `: ${longest.description}.` : ` ${written(longest.description)}.`,
  ].join('');
}

function isGeneral(family: readonly Column[]): boolean {
  const texts = family
    .filter(column => windowOf(column) !== 1) // "one day" instead of "n days"
    .map(column => withN(`${formulaOf(column)} ${column.description}`, windowOf(column)));
  return new Set(texts).size === 1;
}

function longestOf(family: readonly Column[]): Column {
  return family.reduce((longest, column) => (windowOf(column) > windowOf(longest) ? column : longest));
}

/** 0 without one. */
function windowOf(column: Column): number {
  return 'window' in column ? (column.window ?? 0) : 0;
}

function formulaOf(column: Column): string {
  return 'formula' in column ? (column.formula ?? '') : '';
}

function withN(text: string, window: number): string {
  const number = (value: number | string) => new RegExp(`(?<![\\d√])${value}(?!\\d)`, 'g');
  const subscripts = (value: number) =>
    new RegExp(`(?<![₀-₉])${[...String(value)].map(digit => '₀₁₂₃₄₅₆₇₈₉'[Number(digit)]).join('')}(?![₀-₉])`, 'g');
  return text
    .replace(subscripts(window), 'ₙ')
    .replace(subscripts(window - 1), 'ₙ₋₁')
    .replace(number(`(?<=[a-z])${window}`), '{n}')
    .replace(number(window), 'n')
    .replace(number(`(?<=/)${window + 1}`), '(n+1)')
    .replace(new RegExp(`… ${window - 1}(?!\\d)`), '… n−1');
}
