import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { SourceError, type SourceItem } from '../source.ts';
import { jsonRecords } from './json-records.ts';
import { profilesSource } from './profiles-source.ts';

const folder = mkdtempSync(join(tmpdir(), 'profiles-'));
after(() => rmSync(folder, { recursive: true }));

const a = { id: 'a-alpha', name: 'Alpha', symbol: 'A', description: 'Ünïcödé, {braces} and "quotes"' };
const b = { id: 'b-beta', name: 'Beta', symbol: 'B', tags: [{ id: 't', name: 'T', coin_counter: 1, ico_counter: 2 }] };
const c = { id: 'c-gamma', name: 'Gamma', symbol: 'C' };
const line = (value: unknown) => `${JSON.stringify(value)}\n`;
const pretty = (value: unknown) => JSON.stringify(value, null, 2);

async function read(...paths: string[]): Promise<SourceItem[]> {
  return Array.fromAsync(profilesSource(paths).profiles(new AbortController().signal));
}

/** The ids of the profiles, and `record reason` of the rejects, in the order of delivery. */
async function outcome(content: string | Buffer): Promise<string[]> {
  const file = join(folder, 'input');
  writeFileSync(file, content);
  return summary(await read(file));
}

function summary(items: readonly SourceItem[]): string[] {
  return items.flatMap(item => {
    if (item.kind === 'profile') return [item.sourced.profile.id];
    if (item.kind === 'reject') return [`${item.reject.where.split(':').at(-1)} ${item.reject.reason}`];
    return [];
  });
}

const badBytes = Buffer.concat([Buffer.from('{"id":"x-x","symbol":"X","name":"'), Buffer.of(0xff), Buffer.from('"}')]);

describe('profiles are read from', () => {
  for (const [name, content, expected] of [
    ['one record', JSON.stringify(a), ['a-alpha']],
    ['one record over several lines', pretty(a), ['a-alpha']],
    ['a list', JSON.stringify([a, b]), ['a-alpha', 'b-beta']],
    ['a list over several lines', `\n\n${pretty([a, b])}\r\n`, ['a-alpha', 'b-beta']],
    ['lines', line(a) + line(b), ['a-alpha', 'b-beta']],
    [
      'lines with Windows ends, blank ones and no last end',
      `\r\n${line(a)}\r\n\n${JSON.stringify(b)}\r`,
      ['a-alpha', 'b-beta'],
    ],
    ['lines after a byte order mark', `\uFEFF${line(a)}`, ['a-alpha']],
    ['a document after a byte order mark', `\uFEFF${pretty([a])}`, ['a-alpha']],
    ['an empty list', '[]', []],
  ] as const) {
    it(name, async () => assert.deepEqual(await outcome(content), expected));
    it(`${name}, packed`, async () => assert.deepEqual(await outcome(gzipSync(content)), expected));
  }

  it('a folder and the folders in it, sorted, by their endings', async () => {
    const root = join(folder, 'tree');
    await mkdir(join(root, 'deeper'), { recursive: true });
    writeFileSync(join(root, '2.ndjson'), line(b));
    writeFileSync(join(root, '1.json'), pretty(a));
    writeFileSync(join(root, 'deeper', '3.jsonl.gz'), gzipSync(line(c)));
    writeFileSync(join(root, 'notes.txt'), 'not a profile');
    assert.deepEqual(summary(await read(root)), ['a-alpha', 'b-beta', 'c-gamma']);
  });

  it('standard input', async () => {
    const script = `
      import { profilesSource } from ${JSON.stringify(import.meta.resolve('./profiles-source.ts'))};
      for await (const item of profilesSource(['-']).profiles(new AbortController().signal)) {
        if (item.kind === 'profile') console.log(item.where, item.sourced.profile.id);
      }`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    child.stdin.end(line(a) + line(b));
    const output = await Array.fromAsync(child.stdout as AsyncIterable<Buffer>);
    assert.equal(Buffer.concat(output).toString(), 'stdin:1 a-alpha\nstdin:2 b-beta\n');
  });

  it('every place where the input can be cut into chunks', async () => {
    const many = Array.from({ length: 3000 }, (_, index) => ({ ...a, id: `a-${index}` }));
    assert.deepEqual(
      await outcome(many.map(line).join('')),
      many.map(one => one.id),
    );
    assert.deepEqual(
      await outcome(pretty(many)),
      many.map(one => one.id),
    );
  });
});

describe('one bad record costs no other', () => {
  for (const [name, content, expected] of [
    ['a wrong field in a list', JSON.stringify([a, { ...b, rank: 'x' }, c]), ['a-alpha', '2 bad_profile', 'c-gamma']],
    ['a number in a list', JSON.stringify([a, 5, c]), ['a-alpha', '2 bad_profile', 'c-gamma']],
    ['a broken line', `${line(a)}{"id": nope}\n${line(c)}`, ['a-alpha', '2 bad_profile', 'c-gamma']],
    ['a broken first line', `{"id": "x"\n${line(b)}${line(c)}`, ['1 bad_profile', 'b-beta', 'c-gamma']],
    [
      'a line that is not UTF-8',
      Buffer.concat([Buffer.from(line(a)), badBytes, Buffer.from(`\n${line(c)}`)]),
      ['a-alpha', '2 bad_encoding', 'c-gamma'],
    ],
    ['a broken record in a list', `[${line(a)}, {"id": nope},\n${line(c)}]`, ['a-alpha', '2 bad_profile', 'c-gamma']],
    [
      'bytes that are not UTF-8 in a list',
      Buffer.concat([Buffer.from(`[${line(a)},`), badBytes, Buffer.from(`,${line(c)}]`)]),
      ['a-alpha', '2 bad_encoding', 'c-gamma'],
    ],
    ['a list without its end', `[${line(a)},${line(b)}`, ['a-alpha', 'b-beta', '3 truncated']],
    ['a list that ends in a record', pretty([a, b, c]).slice(0, -30), ['a-alpha', 'b-beta', '3 truncated']],
    ['lines that end in a record', line(a) + line(b).slice(0, 20), ['a-alpha', '2 bad_profile']],
    ['a text that is not JSON', 'id,name\n', ['1 bad_profile']],
    ['an empty file', '', ['1 bad_profile']],
    ['a file of blank lines', '\n \n', ['1 bad_profile']],
  ] as const) {
    it(name, async () => assert.deepEqual(await outcome(content), expected));
  }

  for (const [name, content] of [
    ['lines', line(a) + line(b) + line({ ...c, description: randomText(200_000) })],
    ['a list', JSON.stringify([a, b, { ...c, description: randomText(200_000) }])],
  ] as const) {
    it(`packed ${name} that break off give what came before`, async () => {
      const packed = gzipSync(content);
      const told = await outcome(packed.subarray(0, packed.length / 2));
      assert.deepEqual(told, ['a-alpha', 'b-beta', '3 truncated']);
    });
  }

  for (const [name, start, end] of [
    ['line', '', '\n'],
    ['record of a list', '[', ',\n'],
  ] as const) {
    it(`a ${name} of 100 MB is refused while it is read, and holds no memory`, async () => {
      const chunk = 1024 * 1024;
      let held = 0;
      async function* chunks() {
        yield Buffer.from(`${start}${JSON.stringify(a)}${end}{"id":"`);
        const before = process.memoryUsage().arrayBuffers;
        for (let i = 0; i < 100; i++) {
          yield Buffer.alloc(chunk, 'x');
          held = Math.max(held, process.memoryUsage().arrayBuffers - before);
        }
        yield Buffer.from(`"}${end}${JSON.stringify(c)}${start && ']'}`);
      }
      const records = await Array.fromAsync(jsonRecords(chunks()));
      assert.deepEqual(records, [
        { at: 1, value: a },
        { at: 2, reason: 'bad_profile', detail: 'the record has more than 4 MB' },
        { at: 3, value: c },
      ]);
      assert.ok(held < 80 * chunk, `${held} bytes are held`);
    });
  }

  it('a CSV file is refused once, with the command that loads it', async () => {
    const file = join(folder, 'prices.csv');
    writeFileSync(file, `symbol,day,close\n${'BTC,2024-01-01,5\n'.repeat(50_000)}`);
    const rejects = (await read(file)).filter(item => item.kind === 'reject');
    assert.deepEqual(
      rejects.map(item => item.reject.detail),
      ['expected profiles as JSON, got "symbol,day,close"; daily closes in CSV are loaded by: ingest csv'],
    );
  });

  it('and is refused with its file, its record and every problem', async () => {
    const file = join(folder, 'bad.json');
    writeFileSync(file, JSON.stringify([a, { ...b, rank: 'x', links: { reddit: 'r' } }]));
    const rejects = (await read(file)).filter(item => item.kind === 'reject');
    assert.deepEqual(rejects[0]?.reject, {
      where: `${file}:2`,
      reason: 'bad_profile',
      detail: 'rank: expected an integer (0 or more), got "x"; links.reddit: expected a list or null, got "r"',
    });
  });
});

it('a file that is not there fails before anything is read', async () => {
  const file = join(folder, 'good.json');
  writeFileSync(file, JSON.stringify(a));
  await assert.rejects(read(file, join(folder, 'missing.json')), SourceError);
});

it('progress counts bytes up to all of them', async () => {
  const file = join(folder, 'good.json');
  writeFileSync(file, JSON.stringify(a));
  const size = Buffer.byteLength(JSON.stringify(a));
  const items = await read(file);
  const last = items.at(-1);
  assert.ok(last?.kind === 'progress');
  assert.deepEqual([last.done, last.total, last.unit], [size, size, 'bytes']);
});

/** Does not pack well, so that a cut file is cut inside it. */
function randomText(length: number): string {
  let state = 1;
  return Array.from({ length }, () => {
    state = (state * 48271) % 2147483647;
    return String.fromCharCode(97 + (state % 26));
  }).join('');
}
