import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, constants, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { DamagedInput, findInputs, readInput, totalSize } from './inputs.ts';

const folder = mkdtempSync(join(tmpdir(), 'tidemark-inputs-'));
after(() => rmSync(folder, { recursive: true }));
const signal = new AbortController().signal;

function file(name: string, content: string | Uint8Array = name): string {
  const path = join(folder, name);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, content);
  return path;
}

/** All that can be read, and what ended the reading. */
async function content(path: string, given = signal): Promise<{ bytes: Buffer; error: unknown; stored: number }> {
  const [input] = await findInputs([path], ['.csv']);
  const chunks: Buffer[] = [];
  let stored = 0;
  try {
    for await (const chunk of readInput(input!, given, bytes => (stored += bytes))) chunks.push(Buffer.from(chunk));
  } catch (error) {
    return { bytes: Buffer.concat(chunks), error, stored };
  }
  return { bytes: Buffer.concat(chunks), error: null, stored };
}

test('a folder gives its files that end as wanted, of all levels, sorted, without hidden ones', async () => {
  for (const name of ['b.csv', 'a.CSV.GZ', 'sub/deep/c.csv', 'note.md', '.hidden.csv', '.git/d.csv'])
    file(`tree/${name}`);
  const inputs = await findInputs([join(folder, 'tree')], ['.csv']);
  assert.deepEqual(
    inputs.map(input => input.name.slice(folder.length)),
    ['/tree/a.CSV.GZ', '/tree/b.csv', '/tree/sub/deep/c.csv'],
  );
  assert.equal(
    totalSize(inputs),
    inputs.map(input => input.size).reduce<number>((sum, size) => sum + size!, 0),
  );
});

test('a named file may end in anything, and is read once however often it is named', async () => {
  const path = file('prices.data');
  const inputs = await findInputs([path, '-', join(folder, 'x', '..', 'prices.data'), '-'], ['.csv']);
  assert.deepEqual(
    inputs.map(input => input.name),
    [path, 'stdin'],
  );
  assert.equal(totalSize(inputs), null);
});

test('a missing path, an empty folder and no path at all are errors that say what to do', async () => {
  mkdirSync(join(folder, 'empty'));
  const missing = join(folder, 'missing.csv');
  await assert.rejects(findInputs([file('there.csv'), missing], ['.csv']), {
    name: 'SourceError',
    message: `${missing} does not exist`,
    hint: /spelling/,
  });
  await assert.rejects(findInputs([join(folder, 'empty')], ['.csv']), {
    name: 'SourceError',
    message: /holds no file/,
  });
  await assert.rejects(findInputs([], ['.csv']), { name: 'SourceError', hint: /standard input/ });
});

test('plain files, empty ones too, come as they are', async () => {
  for (const bytes of [Buffer.alloc(0), Buffer.from('a'), randomBytes(700_000)]) {
    const read = await content(file('plain', bytes));
    assert.ok(read.bytes.equals(bytes));
    assert.equal(read.stored, bytes.length);
    assert.equal(read.error, null);
  }
});

test('gzip is known by its bytes, and its members follow each other wherever one ends', async () => {
  // Around the size of one step of unpacking, so that a member ends on every side of its border.
  for (let size = 16_340; size < 16_370; size++) {
    const first = randomBytes(size);
    const second = Buffer.from('second member');
    const read = await content(file('members', Buffer.concat([gzipSync(first), gzipSync(second), Buffer.alloc(9)])));
    assert.equal(read.error, null);
    assert.ok(read.bytes.equals(Buffer.concat([first, second])), `member of ${size} bytes`);
  }
});

test('a gzip file that breaks off gives everything before the break, then says so', async () => {
  const text = Buffer.from(randomBytes(100_000).toString('hex'));
  const packed = gzipSync(text);
  for (const length of [3, 12, 5000, 90_000, packed.length - 8, packed.length - 1]) {
    const { bytes, error } = await content(file('cut.gz', packed.subarray(0, length)));
    assert.ok(error instanceof DamagedInput && /ends in the middle/.test(error.message));
    assert.ok(bytes.equals(text.subarray(0, bytes.length)));
    // A byte of gzip holds about two of these digits; a few are still inside a code that is incomplete.
    assert.ok(bytes.length >= Math.min(text.length, (length - 300) * 1.5), `${bytes.length} of ${length}`);
  }
});

test('damaged gzip data is told', async () => {
  const packed = gzipSync(randomBytes(50_000).toString('hex'));
  packed[30_000]! ^= 0xff;
  const { error } = await content(file('damaged.gz', packed));
  assert.ok(error instanceof DamagedInput && /damaged/.test(error.message));
});

test('an aborted signal ends the reading with its reason', async () => {
  const controller = new AbortController();
  const path = file('long', randomBytes(3_000_000));
  const [input] = await findInputs([path], ['.csv']);
  const reason = new Error('enough');
  let chunks = 0;
  const reading = async (): Promise<void> => {
    for await (const _ of readInput(input!, controller.signal)) {
      chunks++;
      controller.abort(reason);
    }
  };
  await assert.rejects(reading(), error => error === reason);
  assert.equal(chunks, 1);
});

function fifo(name: string): string {
  const path = join(folder, name);
  assert.equal(spawnSync('mkfifo', [path]).status, 0);
  return path;
}

for (const writer of ['no writer', 'a silent writer']) {
  test(`an abort ends the reading of a FIFO with ${writer}`, { timeout: 20_000 }, async () => {
    const path = fifo(writer);
    const controller = new AbortController();
    const reason = new Error('enough');
    const reading = content(path, controller.signal);
    const held = writer === 'a silent writer' ? await openWhenRead(path) : null;
    setTimeout(() => controller.abort(reason), 20);
    assert.equal((await reading).error, reason);
    if (held !== null) closeSync(held);
  });
}

test('a FIFO is read to its end, packed or not', { timeout: 20_000 }, async () => {
  const text = 'symbol,day,close\n'.repeat(20_000);
  for (const bytes of [Buffer.from(text), gzipSync(text)]) {
    const path = fifo(`read-${bytes.length}`);
    const reading = content(path);
    // The shell writes, because a write from this process would wait for itself.
    const writing = spawn('sh', ['-c', `cat > "${path}"`], { stdio: ['pipe', 'inherit', 'inherit'] });
    writing.stdin.end(bytes);
    const read = await reading;
    assert.equal(read.error, null);
    assert.equal(read.bytes.toString(), text);
  }
});

/** Opens a FIFO for writing as soon as a process reads it. */
async function openWhenRead(path: string): Promise<number> {
  for (;;) {
    try {
      return openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
    } catch {
      await wait(5);
    }
  }
}

test('standard input is read, packed or not', () => {
  const script = `
    import { findInputs, readInput } from ${JSON.stringify(new URL('./inputs.ts', import.meta.url).href)};
    const [input] = await findInputs(['-'], []);
    for await (const chunk of readInput(input, new AbortController().signal)) process.stdout.write(chunk);
  `;
  for (const input of ['symbol,day,close\n', gzipSync('symbol,day,close\n')]) {
    const run = spawnSync(process.execPath, ['--input-type=module', '-e', script], { input });
    assert.equal(run.stdout.toString(), 'symbol,day,close\n', run.stderr.toString());
  }
});
