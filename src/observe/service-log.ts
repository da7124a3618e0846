// The log: events and the request lines of all threads, on one stream. It never makes the service wait: when the reader of the stream
// falls behind by more than a bound, lines are dropped and counted.

import { visibleControls } from '../common/visible-controls.ts';
import { described, type ServiceEvent } from './events.ts';
import type { LogForm } from './log-form.ts';

/** Some thousand lines. */
const MOST_WAITING_BYTES = 2 ** 20;

/** Of a stream, as far as it is needed here. Node queues what a pipe does not take at once. */
export interface LogStream {
  readonly writableLength: number;
  write(text: string): unknown;
}

export interface ServiceLogOptions {
  readonly form: LogForm['form'];
  readonly stream: LogStream;
  readonly onDropped: (lines: number) => void;
  readonly now?: () => number;
}

export class ServiceLog {
  readonly #options: ServiceLogOptions;
  readonly #now: () => number;

  constructor(options: ServiceLogOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
  }

  event(event: ServiceEvent): void {
    const { level, words } = described(event);
    if (this.#options.form === 'json') {
      const { event: name, ...facts } = event;
      this.write(`${JSON.stringify({ time: new Date(this.#now()).toISOString(), level, event: name, ...facts })}\n`, 1);
    } else if (words !== null) this.write(`${words}\n`, 1);
  }

  /** Whole lines, with their line ends. */
  write(text: string, lines: number): void {
    const { form, stream, onDropped } = this.#options;
    if (stream.writableLength > MOST_WAITING_BYTES) onDropped(lines);
    else stream.write(form === 'text' ? visibleControls(text) : text);
  }
}
