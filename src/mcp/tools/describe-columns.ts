// The tool `describe_columns`: names, units and formulas of the columns by group, and the language of `where`.

import type { Column } from '../../domain/columns.ts';
import { TA_CUR } from '../../domain/datasets.ts';
import { EXPRESSION_GUIDE } from '../expression-guide.ts';
import type { Tool } from '../tool.ts';

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
  'group' in column ? String(column.group) : (BASE_GROUPS[column.kind] ?? column.kind),
);
const EXPRESSIONS = 'expressions';

export const describeColumns: Tool = {
  name: 'describe_columns',
  title: 'Describe columns and expressions',
  description:
    'Names, units and formulas of the columns, by group, and the language of `where`. Call it once before the first screen_assets with an indicator ' +
    'that you do not know. Example: {"group":"change"}. Without group: everything. It returns no data.',
  arguments: {
    group: {
      type: 'choice',
      choices: [...GROUPS.keys(), EXPRESSIONS],
      doc: `One group of columns, or ${EXPRESSIONS} for the language of \`where\`.`,
    },
  },
  example: { group: 'change' },
  check(given) {
    given.one('group');
  },
  run(given) {
    const group = given.one('group');
    if (group === EXPRESSIONS) return EXPRESSION_GUIDE;
    const groups = [...GROUPS].filter(([name]) => group === undefined || name === group);
    const texts = groups.map(([name, columns]) => [`## ${name}`, ...familiesOf(columns).map(familyText)].join('\n'));
    const intro =
      'C₀ is the latest daily close (UTC), Cₙ the close n days earlier. Null if the history is too short, unless stated.';
    return [intro, ...texts, ...(group === undefined ? [EXPRESSION_GUIDE] : [])].join('\n\n');
  },
};

/** Columns that differ only in the length of their window. */
function familiesOf(columns: readonly Column[]): Column[][] {
  return [...Map.groupBy(columns, ({ name, unit, kind }) => `${kind} ${unit} ${name.replace(/\d+/, '')}`).values()];
}

/** One line: the names, the unit, and the formula and description of the first. */
function familyText(family: readonly Column[]): string {
  const [first] = family;
  if (first === undefined) throw new Error('a family has at least one column');
  const names = family.map(({ name }) => name).join(' ');
  const unit = first.unit === null ? '' : ` [${first.unit}]`;
  const formula =
    'formula' in first && first.formula !== undefined
      ? ` ${family.length > 1 ? `${first.name} = ` : '= '}${first.formula}.`
      : '';
  const described = family.length > 1 ? `${first.name}: ${first.description}` : first.description;
  return `${names}${unit}:${formula} ${described}.`;
}
