// Loads that a server starts by itself, each in a process of its own, so that neither its work nor its end touches the server.

import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type Config, environmentVariable } from '../config.ts';
import type { ScheduledLoad } from './schedule.ts';

/** Of the end of a load's output, for the log when it fails. */
const KEPT_CHARACTERS = 2000;

/** What `ingest live` says of its connections and delays begins with this word. */
const NOTE = /^live (.*)/;

export interface LoadReports {
  readonly onFailed: (load: string, reason: string) => void;
  /** Of a load that runs all the time. */
  readonly onNote?: (load: string, text: string) => void;
}

/** Settings of the server that a load has unless the schedule says otherwise: one that keeps less would drop what the server keeps. */
export type LoadSettings = Readonly<Partial<Pick<Config, 'retention-1m' | 'retention-1h'>>>;

export class ScheduledLoads {
  readonly #storeUrl: string;
  readonly #reports: LoadReports;
  readonly #settings: LoadSettings;
  readonly #running = new Set<ChildProcess>();
  #stopping = false;

  constructor(storeUrl: string, reports: LoadReports, settings: LoadSettings = {}) {
    this.#storeUrl = storeUrl;
    this.#reports = reports;
    this.#settings = settings;
  }

  /** Runs the load unless it is not due, or another process runs it. Resolves when its process has ended: false if it failed. */
  run({ argv, interval }: Pick<ScheduledLoad, 'argv' | 'interval'>): Promise<boolean> {
    const launcher = fileURLToPath(new URL('../../scripts/launch.js', import.meta.url));
    const args = [launcher, 'ingest', ...argv, ...(interval === null ? ['--if-free'] : ['--if-due', interval])];
    // In the environment, because the URL may hold a password, and every user can read the arguments of a process.
    const env = { ...process.env, [environmentVariable('store')]: this.#storeUrl };
    for (const [name, value] of Object.entries(this.#settings)) env[environmentVariable(name)] = String(value);
    return new Promise(resolve => {
      const child: ChildProcess = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
      this.#running.add(child);
      let output = '';
      // A process that could not be started for lack of descriptors has no streams, and never closes.
      for (const stream of [child.stdout, child.stderr]) {
        stream?.setEncoding('utf8').on('data', (text: string) => {
          output = (output + text).slice(-KEPT_CHARACTERS);
        });
      }
      if (interval === null && child.stderr !== null) {
        createInterface({ input: child.stderr }).on('line', line => {
          const [, text] = NOTE.exec(line) ?? [];
          if (text !== undefined) this.#reports.onNote?.(argv.join(' '), text);
        });
      }
      const end = (reason: string | null) => {
        if (!this.#running.delete(child)) return;
        if (reason !== null && !this.#stopping) this.#reports.onFailed(argv.join(' '), reason);
        resolve(reason === null);
      };
      child.on('error', error => end(error.message));
      child.on('close', (code, signal) => {
        if (signal !== null) output += `\nits process was ended by ${signal}`;
        end(code === 0 ? null : output.trim());
      });
    });
  }

  /** Asks the running ones to end in order, and ends those that have not after `graceMs`: what they stored is kept. */
  stop(graceMs: number): void {
    this.#stopping = true;
    for (const child of this.#running) child.kill('SIGTERM');
    setTimeout(() => {
      for (const child of this.#running) child.kill('SIGKILL');
    }, graceMs).unref();
  }
}
