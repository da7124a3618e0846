// Random expressions by the grammar, each with what it says in DuckDB's SQL: written from the contract, not from the code.

import type { Chance } from '../query/chance.ts';

export interface Expression {
  readonly text: string;
  readonly sql: string;
}

export interface Names {
  readonly numbers: readonly string[];
  readonly days: readonly string[];
  readonly texts: readonly string[];
  readonly flags: readonly string[];
  readonly tags: readonly string[];
}

const LITERALS = ['0', '1', '2', '0.5', '10', '1e3', '1.5e-3', '1e200', '3.25', '.5', '7.'];
const DAYS = ['2026-01-01', '2026-01-02', '2026-01-03', '1999-12-31'];
const TEXTS = ['coin', 'TOKEN', 'btc', 'Bitcoin', "it''s", ''];

/** A finite number or null. */
function finite(sql: string): string {
  return `(CASE WHEN isfinite(${sql}) THEN ${sql} END)`;
}

function spaced(chance: Chance, text: string): string {
  return chance.happens(0.1) ? `  ${text} ` : text;
}

export function randomNumber(names: Names, chance: Chance, depth: number): Expression {
  if (depth === 0 || chance.happens(0.25)) {
    if (chance.happens(0.6)) {
      const name = chance.pick(names.numbers);
      return { text: chance.happens(0.1) ? `[${name}]` : spaced(chance, name), sql: `"${name}"` };
    }
    const literal = chance.pick(LITERALS);
    return { text: literal, sql: `CAST(${literal.replace(/\.$/, '')} AS DOUBLE)` };
  }
  const operand = () => randomNumber(names, chance, depth - 1);
  const [a, b] = [operand(), operand()];
  switch (chance.below(8)) {
    case 0:
      return { text: `-(${a.text})`, sql: `(-(${a.sql}))` };
    case 1:
      return { text: `abs(${a.text})`, sql: `abs(${a.sql})` };
    case 2:
      return { text: `sqrt(${a.text})`, sql: `(CASE WHEN ${a.sql} >= 0 THEN sqrt(${a.sql}) END)` };
    case 3: {
      const name = chance.pick(['min', 'max']);
      const [least, anyNull] = [name === 'min' ? 'least' : 'greatest', `(${a.sql}) IS NULL OR (${b.sql}) IS NULL`];
      const sql = `(CASE WHEN ${anyNull} THEN NULL ELSE ${least}(${a.sql}, ${b.sql}) END)`;
      return { text: `${name}(${a.text}, ${b.text})`, sql };
    }
    default: {
      const operator = chance.pick(['+', '-', '*', '/']);
      const sql =
        operator === '/'
          ? `(CASE WHEN ${b.sql} <> 0 THEN ${finite(`((${a.sql}) / (${b.sql}))`)} END)`
          : finite(`((${a.sql}) ${operator} (${b.sql}))`);
      return { text: `(${a.text})${spaced(chance, operator)}(${b.text})`, sql };
    }
  }
}

/** A comparison with null is false, so that every condition is true or false. */
function decided(sql: string): string {
  return `coalesce(${sql}, false)`;
}

export function randomCondition(names: Names, chance: Chance, depth: number): Expression {
  if (depth > 0 && chance.happens(0.55)) {
    const a = randomCondition(names, chance, depth - 1);
    if (chance.happens(0.25)) return { text: `not (${a.text})`, sql: `(NOT ${a.sql})` };
    const b = randomCondition(names, chance, depth - 1);
    const operator = chance.pick(['and', 'or', 'AND', 'Or']);
    return { text: `(${a.text}) ${operator} (${b.text})`, sql: `(${a.sql} ${operator} ${b.sql})` };
  }
  const number = () => randomNumber(names, chance, chance.below(3));
  const text = () => chance.pick(TEXTS);
  const compared = chance.pick(['=', '!=', '<', '<=', '>', '>=']);
  switch (chance.below(10)) {
    case 0: {
      const a = number();
      const is = chance.pick(['is null', 'is not null']);
      return { text: `${parenthesised(a.text)} ${is}`, sql: `((${a.sql}) ${is})` };
    }
    case 1: {
      const [a, low, high] = [number(), number(), number()];
      const negated = chance.happens(0.3);
      const sql = decided(`((${a.sql}) BETWEEN (${low.sql}) AND (${high.sql}))`);
      const ends = `${parenthesised(low.text)} and ${parenthesised(high.text)}`;
      return {
        text: `${parenthesised(a.text)} ${negated ? 'not ' : ''}between ${ends}`,
        sql: negated ? `(NOT ${sql})` : sql,
      };
    }
    case 2: {
      const [name, values] = [chance.pick(names.texts), [text(), text()]];
      const wanted = values.map(value => `'${value.toUpperCase()}'`).join();
      return {
        text: `${name} in (${values.map(value => `'${value}'`).join(', ')})`,
        sql: decided(`(upper("${name}") IN (${wanted}))`),
      };
    }
    case 3: {
      const [name, value, operator] = [chance.pick(names.texts), text(), chance.pick(['=', '!='])];
      const sql = decided(`(upper("${name}") ${operator} '${value.toUpperCase()}')`);
      return chance.happens(0.5)
        ? { text: `${name}${operator}'${value}'`, sql }
        : { text: `'${value}' ${operator} ${name}`, sql };
    }
    case 4: {
      const [name, day] = [chance.pick(names.days), chance.pick(DAYS)];
      return { text: `${name} ${compared} '${day}'`, sql: decided(`("${name}" ${compared} TIMESTAMP '${day}')`) };
    }
    case 5: {
      const name = chance.pick([...names.texts, ...names.days]);
      const is = chance.pick(['is null', 'is not null']);
      return { text: `${name} ${is}`, sql: `("${name}" ${is})` };
    }
    case 6:
      if (names.flags.length > 0) {
        const name = chance.pick(names.flags);
        return { text: name, sql: `"${name}"` };
      }
      return { text: '1 < 2', sql: 'true' };
    case 7: {
      const tag = chance.pick(names.tags);
      return { text: `tag('${tag}')`, sql: `list_contains("tags", '${tag}')` };
    }
    default: {
      const [a, b] = [number(), number()];
      const sql = decided(`((${a.sql}) ${compared} (${b.sql}))`);
      return { text: `${parenthesised(a.text)}${spaced(chance, compared)}${parenthesised(b.text)}`, sql };
    }
  }
}

function parenthesised(text: string): string {
  return /^[\w.]+$/.test(text) ? text : `(${text})`;
}
