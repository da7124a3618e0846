// The definitions of a settings file, checked: names, sizes and texts.

import { reachOf, readsSeries, warmUpOf } from './facts.ts';
import { LIMITS, OWN_FUNCTIONS, OwnColumnError, type OwnNode, SERIES } from './language.ts';
import { definitionText, parseDefinition } from './parse.ts';

export interface OwnDefinition {
  readonly name: string;
  readonly node: OwnNode;
  /** In its canonical form. */
  readonly formula: string;
}

const NAME = /^[a-z][a-z0-9_]{0,31}$/;

/**
 * Names that mean something else in a request. A test compares them with the parameters and the expression language; those of built-in
 * columns are refused by the catalogue.
 */
export const RESERVED: readonly string[] = [
  ...[
    'limit',
    'page',
    'sort',
    'order',
    'range',
    'comparison',
    'not_null',
    'where',
    'calc',
    'tag',
    'type',
    'symbol',
    'id',
  ],
  ...['from', 'to', 'interval', 'as_of', 'inactive', 'min_history', 'q', 'cols', 'bins', 'incl_cols', 'excl_cols'],
  ...[
    'format',
    'meta',
    'api_key',
    'quote',
    'source',
    'adjusted',
    'all',
    'market',
    'trend',
    'momentum',
    'risk',
    'quality',
    'own',
    'true',
    'false',
  ],
  ...[
    'and',
    'or',
    'not',
    'is',
    'null',
    'between',
    'in',
    'abs',
    'min',
    'max',
    'ln',
    'sqrt',
    'lag',
    'crosses_above',
    'crosses_below',
  ],
  ...['name', 'is_new', 'is_active', 'first_data_at', 'last_data_at', 'close', 'asset', 'asset_id'],
];

/** Of an object such as `{"ema9": "ema(close, 9)"}`, in its order. Throws an OwnColumnError that names the column. */
export function parseDefinitions(value: unknown): OwnDefinition[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new OwnColumnError('expected an object of definitions', 'Write {"ema9": "ema(close, 9)"}.');
  }
  const entries = Object.entries(value);
  if (entries.length > LIMITS.columns) {
    throw new OwnColumnError(`${entries.length} columns are defined`, `At most ${LIMITS.columns} can be.`);
  }
  return entries.map(([name, text]) => definitionOf(name, text));
}

function definitionOf(name: string, text: unknown): OwnDefinition {
  const shown = JSON.stringify(name.slice(0, 40));
  if (!NAME.test(name)) {
    const form = 'A name has a lower-case letter, then at most 31 lower-case letters, digits and underscores.';
    throw new OwnColumnError(`${shown} cannot be the name of a column`, form);
  }
  if (RESERVED.includes(name) || Object.hasOwn(OWN_FUNCTIONS, name) || SERIES.some(each => each === name)) {
    throw new OwnColumnError(`${shown} cannot be the name of a column: it has another meaning`, 'Choose another name.');
  }
  if (typeof text !== 'string') throw new OwnColumnError(`${shown}: expected the text of a definition`);
  try {
    const node = parseDefinition(text);
    if (!readsSeries(node)) throw new OwnColumnError('the definition reads no series', `Series: ${SERIES.join(', ')}.`);
    const reach = Math.max(reachOf(node), warmUpOf(node));
    if (reach > LIMITS.reach) {
      const most = `Windows inside each other may reach back ${LIMITS.reach} periods together.`;
      throw new OwnColumnError(`the definition reaches back ${reach} periods`, most);
    }
    return { name, node, formula: definitionText(node) };
  } catch (error) {
    if (error instanceof OwnColumnError) throw new OwnColumnError(`${shown}: ${error.message}`, error.hint);
    throw error;
  }
}

/** Fails for a name that a built-in column has. */
export function refuseBuiltIn(definitions: readonly OwnDefinition[], known: readonly string[]): void {
  const taken = definitions.find(({ name }) => known.includes(name));
  if (taken !== undefined) {
    throw new OwnColumnError(`${JSON.stringify(taken.name)} is a built-in column`, 'Choose another name.');
  }
}
