// The programs of the page on streams, run against a market that moves: each ends up with the rows of the listing.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { type Envelope, LISTING, startContractService } from '../http/contract.ts';
import { MARKET, marketSource } from '../http/market.ts';
import { DEMO_URL } from '../support/demo-server.ts';
import type { TestService } from '../support/service.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/how-to/stream.md'), 'utf8');
const [javaScript] = /(?<=```js\n)[\s\S]*?(?=```)/.exec(page) ?? assert.fail('no JavaScript');
const [python] = /(?<=```python\n)[\s\S]*?(?=```)/.exec(page) ?? assert.fail('no Python');
const ROUNDS = 5;
const TIMEOUT_MS = 20_000;
/** Never the same price twice: what is loaded again unchanged is not published. */
let moves = 0;

let service: TestService;
before(async () => {
  service = await startContractService();
});
after(() => service.close());

/** Moves the market while the program runs, until it has printed this; returns the rest of that line. */
async function runWhileMoving(command: string, args: readonly string[], last: string): Promise<string> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', text => {
    said += text;
  });
  const giveUp = performance.now() + TIMEOUT_MS;
  const until = async (isTrue: () => boolean) => {
    while (!isTrue()) {
      if (performance.now() > giveUp) child.kill();
      assert.ok(performance.now() <= giveUp, said);
      await wait(20);
    }
  };
  await until(() => said !== '');
  for (let round = 1; round <= ROUNDS; round++) {
    const moved = MARKET.filter(({ closes }, i) => closes.length > 0 && i % 5 === round % 5).map(asset => ({
      ...asset,
      closes: asset.closes.with(-1, asset.closes.at(-1)! * (1 + ++moves / 50)),
    }));
    await service.load(marketSource(moved));
    // One publication after the other reaches the program, so that it sees each of them.
    await wait(100);
  }
  await until(() => said.includes(last));
  child.kill();
  return said.slice(said.lastIndexOf(last) + last.length).trim();
}

async function expected(): Promise<string> {
  const { result } = await service.get<Envelope>(`${LISTING}?sort=change1&limit=10`);
  return JSON.stringify(result.map(row => row['symbol']).toSorted());
}

describe('the programs of the page on streams', () => {
  it('JavaScript', async () => {
    const program = `${javaScript.replaceAll(DEMO_URL, service.url)}
let events = 0;
const count = () => {
  if (++events > ${ROUNDS}) console.log('last ' + JSON.stringify([...rows.keys()].sort()));
};
for (const name of ['rows', 'changes']) stream.addEventListener(name, count);`;
    const said = await runWhileMoving(process.execPath, ['--experimental-eventsource', '-e', program], 'last ');
    assert.equal(said, await expected());
  });

  const skip = spawnSync('python3', ['--version']).status !== 0 && 'no Python on this machine';
  it('Python', { skip }, async () => {
    const program = `${python.replaceAll(DEMO_URL, service.url).replace('rows = {}\n', 'rows = {}\nseen = 0\n')}
    seen += 1
    if seen > ${ROUNDS}:
        print('last', json.dumps(sorted(rows), separators=(',', ':'), ensure_ascii=False), flush=True)`;
    const said = await runWhileMoving('python3', ['-u', '-c', program], 'last ');
    assert.equal(said, await expected());
  });
});
