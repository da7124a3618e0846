// Logic files: requests and what they give, as plain text, in the manner of sqllogictest.
//
//   rows DATASET COLUMN…          the cells of these columns in each row, separated by |
//   pages DATASET COLUMN…         the same of every page, which a line -- separates
//   error DATASET CODE [PARAM [POSITION]]
//
// Parameters follow, one per line: its name, a space, its value. Then, except for an error, a line ---- and the rows. An empty line ends
// a case, a line that begins with # is a comment.

export interface LogicCase {
  /** `FILE:LINE`. */
  readonly where: string;
  readonly dataset: string;
  readonly parameters: readonly (readonly [name: string, value: string])[];
  readonly expected:
    | { readonly kind: 'pages'; readonly columns: readonly string[]; readonly pages: readonly (readonly string[])[] }
    | { readonly kind: 'rows'; readonly columns: readonly string[]; readonly rows: readonly string[] }
    | {
        readonly kind: 'error';
        readonly code: string;
        readonly param: string | null;
        readonly position: number | null;
      };
}

export function parseLogicFile(name: string, text: string): LogicCase[] {
  const cases: LogicCase[] = [];
  let block: string[] = [];
  for (const [i, line] of [...text.split('\n'), ''].entries()) {
    if (line.startsWith('#')) continue;
    if (line.trim() !== '') block.push(line.trimEnd());
    else if (block.length > 0) {
      cases.push(parseCase(`${name}:${i + 1 - block.length}`, block));
      block = [];
    }
  }
  return cases;
}

function parseCase(where: string, lines: readonly string[]): LogicCase {
  const [kind, dataset, ...words] = lines[0]!.split(' '); // a block has a line
  const end = lines.indexOf('----');
  if (dataset === undefined || (kind === 'error') !== end < 0) throw new SyntaxError(`${where}: ${lines[0]}`);
  const parameters = lines.slice(1, end < 0 ? undefined : end).map(line => {
    const space = line.indexOf(' ');
    return [line.slice(0, space), line.slice(space + 1)] as const;
  });
  const rows = lines.slice(end + 1);
  return { where, dataset, parameters, expected: expectedOf(where, kind, words, rows) };
}

function expectedOf(
  where: string,
  kind: string | undefined,
  words: readonly string[],
  rows: readonly string[],
): LogicCase['expected'] {
  switch (kind) {
    case 'rows':
      return { kind, columns: words, rows };
    case 'pages':
      return {
        kind,
        columns: words,
        pages: rows
          .join('\n')
          .split('\n--\n')
          .map(page => page.split('\n')),
      };
    case 'error': {
      const [code = '', param = null, position = null] = words;
      return { kind, code, param, position: position === null ? null : Number(position) };
    }
    default:
      throw new SyntaxError(`${where}: a case begins with rows, pages or error, not ${kind}`);
  }
}

/** A row as a logic file writes it. */
export function rowText(row: Readonly<Record<string, unknown>>, columns: readonly string[]): string {
  // `String(-0)` is 0.
  return columns.map(name => String(row[name])).join(' | ');
}
