// The servers of one store, which share the rate limits of API keys.

export interface ServerRegistry {
  /**
   * Records a heartbeat of this server. Returns how many servers have sent one within the last `withinMs` by the database's clock, this
   * one included. Removes servers without a heartbeat for a day.
   */
  heartbeat(server: string, withinMs: number): Promise<number>;
  /** The server has stopped and no longer counts. */
  unregister(server: string): Promise<void>;
}
