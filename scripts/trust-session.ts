// Writes the session in docs/how-to/trust.md by running its commands, and, given the file of closes that docs/explanation/findings.md is
// about, the table of its findings: `node scripts/trust-session.ts [closes-sample.csv]`.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Day, isoFromDay } from '../src/domain/day.ts';

const DOCS = join(import.meta.dirname, '../docs');
const FIRST_DAY = 20_500;

function run(folder: string, args: readonly string[]): string {
  const program = join(import.meta.dirname, 'launch.js');
  const env = { ...process.env, TIDEMARK_PROGRAM: 'tidemark', NO_COLOR: '1' };
  const { stdout, stderr } = spawnSync(process.execPath, [program, ...args], { cwd: folder, env, encoding: 'utf8' });
  return `${stdout}${stderr}`.trimEnd();
}

/** Two sources of one asset; the first has a wrong tick. */
function writeFiles(folder: string): void {
  const lines = (source: number) =>
    Array.from({ length: 120 }, (_, i) => {
      const price = 50 + 5 * Math.sin(i / 9) + source * 0.01;
      return `ACME,${isoFromDay((FIRST_DAY + i) as Day)},${(i === 97 && source === 0 ? 10 * price : price).toFixed(4)}`;
    });
  for (const [i, name] of ['first', 'second'].entries()) {
    writeFileSync(join(folder, `${name}.csv`), `symbol,day,close\n${lines(i).join('\n')}\n`);
  }
}

/** The words of a command line; quotes keep words together. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? '');
}

function renewSession(): void {
  const page = join(DOCS, 'how-to/trust.md');
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-trust-'));
  writeFiles(folder);
  const text = readFileSync(page, 'utf8').replace(
    /(```console\n)([\s\S]*?)(```)/g,
    (_, open, session: string, close) => {
      const commands = session.split('\n').filter(line => line.startsWith('$ tidemark '));
      const answers = commands.map(line => `${line}\n${run(folder, wordsOf(line.slice('$ tidemark '.length)))}\n`);
      return `${open}${answers.join('\n')}${close}`;
    },
  );
  writeFileSync(page, text);
  rmSync(folder, { recursive: true });
}

/** What each was found to be. */
const NAMES: Readonly<Record<string, string>> = {
  'shift:btg-btg:2026-01-16': 'An error of the source: for nine days the asset was at eleven times its price',
  'shift:btg-btg:2026-01-25': 'The end of it: the source came back to the old level',
  'spike:swrv-swrv:2023-05-07': 'A thinly traded token more than doubled for one day; perhaps a real trade',
};

function renewTable(closes: string): void {
  const page = join(DOCS, 'explanation/findings.md');
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-sample-'));
  run(folder, ['ingest', 'csv', closes]);
  const { findings } = JSON.parse(run(folder, ['check', '--json']));
  rmSync(folder, { recursive: true });
  const rows = findings
    .filter(({ rule }: { rule: string }) => rule === 'spike' || rule === 'shift')
    .map(({ finding, detail }: { finding: string; detail: string }) => {
      return `| \`${finding}\` | ${detail} | ${NAMES[finding] ?? '**not looked at**'} |`;
    });
  const table = ['| finding | detail | what it is |', '|---|---|---|', ...rows].join('\n');
  const text = readFileSync(page, 'utf8');
  writeFileSync(page, text.replace(/(<!-- sample -->\n)[\s\S]*?(<!-- \/sample -->)/, `$1${table}\n$2`));
}

if (import.meta.main) {
  renewSession();
  const closes = process.argv[2];
  if (closes !== undefined) renewTable(resolve(closes));
}
