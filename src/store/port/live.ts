// How current live prices are.

export interface LiveStore {
  /** Notes the time of the newest tick of a source, in milliseconds since 1970. */
  recordTick(source: string, at: number): Promise<void>;
  /** The newest tick of each source that ever followed live prices, by name. */
  newestTicks(): Promise<NewestTick[]>;
}

export interface NewestTick {
  readonly source: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}
