// The requests of a serving thread for export files, which the supervisor answers.

import type { ExportFailure, ExportRequest } from '../export/export-files.ts';
import type { ExportFile } from '../export/export-folder.ts';

export class ExportRequests {
  readonly #ask: (id: number, request: ExportRequest) => void;
  readonly #waiting = new Map<number, (answer: ExportFile | ExportFailure) => void>();
  #next = 0;

  constructor(ask: (id: number, request: ExportRequest) => void) {
    this.#ask = ask;
  }

  find(request: ExportRequest): Promise<ExportFile | ExportFailure> {
    const id = this.#next++;
    return new Promise(resolve => {
      this.#waiting.set(id, resolve);
      this.#ask(id, request);
    });
  }

  receive(id: number, answer: ExportFile | ExportFailure): void {
    this.#waiting.get(id)?.(answer);
    this.#waiting.delete(id);
  }
}
