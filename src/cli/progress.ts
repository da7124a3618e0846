// The progress of a load: one line that is redrawn on a terminal, a plain line every 5 s elsewhere.

import type { LoadProgress } from '../ingest/load-record.ts';
import type { Output } from './command.ts';
import { compact, count, duration, size } from './terminal.ts';

const LIVE_EVERY_MS = 100;
const PLAIN_EVERY_MS = 5000;
const BAR_WIDTH = 20;

export class ProgressLine {
  readonly #output: Output;
  readonly #began = performance.now();
  #shownAt = Number.NEGATIVE_INFINITY;
  #shown = '';

  constructor(output: Output) {
    this.#output = output;
    if (!output.live) this.#shownAt = this.#began;
  }

  update(progress: LoadProgress): void {
    const now = performance.now();
    if (now - this.#shownAt < (this.#output.live ? LIVE_EVERY_MS : PLAIN_EVERY_MS)) return;
    this.#shownAt = now;
    const text = describe(progress, now - this.#began);
    if (this.#output.live) this.#draw(text);
    else this.#output.say(text);
  }

  /** Removes the line so that other text can be printed; the next update draws it again. */
  clear(): void {
    if (this.#shown !== '') process.stderr.write('\r\x1b[K');
    this.#shown = '';
  }

  [Symbol.dispose](): void {
    this.clear();
  }

  #draw(text: string): void {
    const fitting = text.slice(0, Math.max(20, this.#output.width - 1));
    process.stderr.write(`\r\x1b[K${fitting}`);
    this.#shown = fitting;
  }
}

function describe(progress: LoadProgress, elapsedMs: number): string {
  if (progress.phase === 'indicators') return `${count(progress.read)} records read; computing indicators …`;
  const parts: string[] = [];
  if (progress.total !== null && progress.total > 0) {
    const share = Math.min(1, progress.done / progress.total);
    const filled = Math.round(share * BAR_WIDTH);
    parts.push(
      `${'█'.repeat(filled)}${'░'.repeat(BAR_WIDTH - filled)} ${String(Math.floor(share * 100)).padStart(3)} %`,
    );
  }
  parts.push(position(progress));
  if (progress.read > 0) {
    parts.push(`${compact(progress.read)} records`, `${compact(progress.read / (elapsedMs / 1000))} per second`);
  }
  const left = timeLeft(progress, elapsedMs);
  if (left !== null) parts.push(`${duration(left)} left`);
  if (progress.rejected > 0) parts.push(`${count(progress.rejected)} refused`);
  return parts.join('  ');
}

function position({ done, total, unit }: LoadProgress): string {
  const show = unit === 'bytes' ? size : count;
  const suffix = unit === 'bytes' ? '' : ' assets';
  // Of an asset, a part may be done.
  const whole = Math.floor(done);
  return total === null ? `${show(whole)}${suffix}` : `${show(whole)} of ${show(total)}${suffix}`;
}

function timeLeft({ done, total }: LoadProgress, elapsedMs: number): number | null {
  // An estimate in the first second would be wrong.
  if (total === null || done <= 0 || elapsedMs < 1000 || done >= total) return null;
  return (elapsedMs / done) * (total - done);
}
