// The servers of one store, which share the rate limits of API keys.

export interface ServerRegistry {
  /**
   * Says that this server lives, and returns how many have said so within the last `withinMs`, by the database's clock, this
   * one always included. Forgets those that have been silent for a day.
   */
  heartbeat(server: string, withinMs: number): Promise<number>;
  /** The server has ended in order and counts no more. */
  unregister(server: string): Promise<void>;
}
