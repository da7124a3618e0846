// Plays the scene of an attack in a small network of its own, where that is allowed.
//
// On an ordinary loopback the system keeps megabytes for each reader that does not read, which a thousand of them use up before
// the server notices anything. In this one, packets are as long as on Ethernet and receivers take in little, as slow readers do.

import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Scene, SceneOptions } from './attack-scene.ts';

const SCENE = join(import.meta.dirname, 'attack-scene.ts');
const NETWORK = [
  ...['unshare', '--user', '--map-root-user', '--net', 'sh', '-c'],
  'ip link set lo mtu 1500 up && echo 4096 8192 8192 >/proc/sys/net/ipv4/tcp_rmem && exec "$@"',
  'sh',
];
/** Slow readers that an ordinary loopback has memory for. */
const READERS_WITHOUT = 100;
/** Of each process, beside the connections. */
const OTHER_FILES = 100;

export async function playScene(options: SceneOptions): Promise<Scene> {
  const small = hasSmallNetwork();
  const reading = options.attack.startsWith('slow reading') && !small;
  const connections = reading ? Math.min(options.connections, READERS_WITHOUT) : options.connections;
  requireOpenFiles(connections + OTHER_FILES);
  const scene = [process.execPath, SCENE, JSON.stringify({ ...options, connections } satisfies SceneOptions)];
  const [program = '', ...args] = small ? [...NETWORK, ...scene] : scene;
  const env = { ...process.env, NODE_OPTIONS: '--disable-warning=ExperimentalWarning' };
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'], env });
  return JSON.parse(await text(child.stdout));
}

/** Whether this user may make one. */
export function hasSmallNetwork(): boolean {
  const [program = '', ...args] = [...NETWORK, 'true'];
  return spawnSync(program, args, { stdio: 'ignore' }).status === 0;
}

/** Node asks for as many as the system allows it. */
function requireOpenFiles(count: number): void {
  const [, hard] = /Max open files\s+\d+\s+(\d+)/.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
  if (Number(hard) < count) {
    throw new Error(`An attack needs ${count} open files in a process, and ${hard} are allowed: raise 'ulimit -Hn'.`);
  }
}
