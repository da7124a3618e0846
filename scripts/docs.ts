// Writes the generated parts of the docs from the tables in the code: `npm run docs`. A test compares them, so that they
// cannot drift apart.
//
// A generated part stands between <!-- generated:NAME --> and <!-- /generated:NAME -->.

import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { COMMANDS } from '../src/cli/commands.ts';
import { commandHelp, overview } from '../src/cli/help.ts';
import { environmentVariable, SETTINGS, type Setting } from '../src/config.ts';
import { ASSET_COLUMNS, COLUMNS, type Column } from '../src/domain/columns.ts';

const root = join(import.meta.dirname, '..');

export const GENERATED: Readonly<Record<string, () => string>> = {
  columns: () => columnTable(COLUMNS),
  'asset-columns': () => columnTable(ASSET_COLUMNS),
  settings: settingTable,
  commands: () =>
    [codeBlock(overview()), ...COMMANDS.map(c => `### ${c.name}\n\n${codeBlock(commandHelp(c))}`)].join('\n\n'),
};

export function documentationPages(): string[] {
  return globSync(['README.md', 'docs/**/*.md'], { cwd: root }).map(file => join(root, file));
}

/** The page with its generated parts as the code has them now. */
export function withGeneratedParts(page: string): string {
  return page.replace(
    /(<!-- generated:([\w-]+) -->\n)[\s\S]*?(<!-- \/generated:\2 -->)/g,
    (_, begin: string, name: string, end: string) => {
      const generate = GENERATED[name];
      if (generate === undefined) throw new Error(`nothing generates the part ${name}`);
      return `${begin}${generate()}\n${end}`;
    },
  );
}

function columnTable(columns: readonly Column[]): string {
  const head = ['| column | type | unit | null | closes for a full window | what it is |', '|---|---|---|---|--:|---|'];
  const rows = columns.map(column => {
    const what = 'formula' in column ? `${column.description}. \`${column.formula}\`` : column.description;
    const history = 'minHistory' in column ? String(column.minHistory) : '';
    const cells = [`\`${column.name}\``, column.type, column.unit ?? '', column.nullable ? 'yes' : 'no', history, what];
    return `| ${cells.join(' | ')} |`;
  });
  return [...head, ...rows].join('\n');
}

function settingTable(): string {
  const head = ['| flag and file key | environment | type | default | what it does |', '|---|---|---|---|---|'];
  const rows = Object.entries(SETTINGS as Record<string, Setting>).map(([name, setting]) => {
    const range = setting.type === 'integer' ? `${setting.min} to ${setting.max}` : setting.type;
    const fallback = setting.default === '' ? '' : `\`${setting.default}\``;
    return `| \`--${name}\` | \`${environmentVariable(name)}\` | ${range} | ${fallback} | ${setting.doc} |`;
  });
  return [...head, ...rows].join('\n');
}

function codeBlock(text: string): string {
  return `\`\`\`text\n${text}\n\`\`\``;
}

if (import.meta.main) {
  for (const file of documentationPages()) {
    const page = readFileSync(file, 'utf8');
    const filled = withGeneratedParts(page);
    if (filled !== page) {
      writeFileSync(file, filled);
      process.stdout.write(`updated ${file.slice(root.length + 1)}\n`);
    }
  }
}
