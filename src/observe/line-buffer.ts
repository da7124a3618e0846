// Gathers lines and hands them on together: a message between threads for each line would cost more than the line.

const FLUSH_MS = 100;
const FLUSH_CHARACTERS = 32 * 1024;

export class LineBuffer {
  readonly #handOn: (text: string, lines: number) => void;
  #text = '';
  #lines = 0;
  #timer: NodeJS.Timeout | null = null;

  constructor(handOn: (text: string, lines: number) => void) {
    this.#handOn = handOn;
  }

  /** Without its line end. */
  add(line: string): void {
    this.#text += `${line}\n`;
    this.#lines++;
    if (this.#text.length >= FLUSH_CHARACTERS) this.flush();
    else this.#timer ??= setTimeout(() => this.flush(), FLUSH_MS);
  }

  flush(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#lines === 0) return;
    const [text, lines] = [this.#text, this.#lines];
    [this.#text, this.#lines] = ['', 0];
    this.#handOn(text, lines);
  }
}
