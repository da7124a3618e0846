// The base of errors that people can act on: the message says what happened, the hint what to do about it.

export abstract class HintedError extends Error {
  readonly hint: string;

  constructor(message: string, hint: string, options?: ErrorOptions) {
    super(message, options);
    this.hint = hint;
  }
}
