// Writes the psql session in docs/how-to/postgres.md by running its statements: `node scripts/psql-session.ts`. A test compares it.

import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dayFromIso } from '../src/domain/day.ts';
import { demoSource } from '../src/ingest/demo/demo-source.ts';
import { load } from '../src/ingest/pipeline.ts';
import { openStore } from '../src/store/open.ts';
import { DEMO_DAY } from '../test/support/demo-server.ts';
import { DEBIAN_15, freshPostgresUrl, runSql } from '../test/support/postgres.ts';

const PAGE = join(import.meta.dirname, '../docs/how-to/postgres.md');
const ASSETS = 120;

export function readPage(): string {
  return readFileSync(PAGE, 'utf8');
}

/** The page with the answers that a new store of the demo gives to the role which the page makes. */
export async function renewedPage(page: string): Promise<string> {
  const url = await freshPostgresUrl(15);
  const store = await openStore(url);
  const today = dayFromIso(DEMO_DAY)!;
  await load({ store, source: demoSource({ today, assets: ASSETS }), today, signal: new AbortController().signal });
  await store.close();
  const { create, grant } = roleStatements(page);
  for (const statement of [...create.filter(text => !text.startsWith('CREATE DATABASE')), ...grant])
    await runSql(url, statement);
  const analyst = Object.assign(new URL(url), { username: 'analyst', password: 'choose-a-fourth' }).href;
  return page.replace(/(```psql\n)([\s\S]*?)(```)/, (_, open, session, close) => {
    return `${open}${statementsOf(session)
      .map(lines => `${lines.join('\n')}\n${answer(analyst, lines)}\n`)
      .join('')}${close}`;
  });
}

/** The statements of the page that make roles, and those that give them their rights. */
export function roleStatements(page: string): { readonly create: string[]; readonly grant: string[] } {
  const statements = (title: string) => {
    const [, text = ''] = new RegExp(`\`\`\`sql\\n-- ${title}.*\\n([\\s\\S]*?)\`\`\``).exec(page) ?? [];
    const lines = text.split('\n').filter(line => !line.startsWith('--'));
    return lines
      .join('\n')
      .split(';')
      .map(statement => statement.trim())
      .filter(Boolean);
  };
  return { create: statements('As an administrator'), grant: statements('As tidemark') };
}

/** The lines of each statement, prompts included. */
function statementsOf(session: string): string[][] {
  const statements: string[][] = [];
  for (const line of session.split('\n')) {
    if (line.startsWith('tidemark=> ')) statements.push([line]);
    else if (line.startsWith('tidemark-> ')) statements.at(-1)?.push(line);
  }
  return statements;
}

function answer(url: string, lines: readonly string[]): string {
  const statement = lines.map(line => line.slice('tidemark=> '.length)).join('\n');
  const args = ['--no-psqlrc', '--command', statement, url];
  // What fails is part of the session as well.
  return execFileSync('sh', ['-c', '"$0" "$@" 2>&1 || true', `${DEBIAN_15}/bin/psql`, ...args], { encoding: 'utf8' })
    .trimEnd()
    .split('\n')
    .map(line => line.trimEnd())
    .join('\n')
    .concat('\n');
}

if (import.meta.main) writeFileSync(PAGE, await renewedPage(readPage()));
