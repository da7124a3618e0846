// Binance's stream of tickers as documented: the client subscribes to `SYMBOL@miniTicker`, the server confirms, and then sends events.

import { type FakeSocket, type FakeWebSocketServer, fakeWebSocketServer } from './fake-websocket.ts';

export interface FakeLiveBinance extends FakeWebSocketServer {
  /** Symbols such as `BTCUSDT` that a client has subscribed to on an open connection. */
  subscribed(): string[];
  /** To every client that has subscribed to it; numbers are texts, as Binance sends them. */
  tick(symbol: string, price: number | string, at: number): void;
  /** Sends any text to every client. */
  say(text: string): void;
}

export async function fakeLiveBinance(): Promise<FakeLiveBinance> {
  const subscriptions = new Map<FakeSocket, Set<string>>();
  const server = await fakeWebSocketServer((socket, text) => {
    const { method, params, id }: { method: string; params: string[]; id: number } = JSON.parse(text);
    const own = subscriptions.get(socket) ?? new Set();
    subscriptions.set(socket, own);
    for (const stream of params ?? []) {
      if (method === 'SUBSCRIBE') own.add(stream);
      if (method === 'UNSUBSCRIBE') own.delete(stream);
    }
    socket.send(JSON.stringify({ result: null, id }));
  });
  const open = () => [...server.sockets].map(socket => [socket, subscriptions.get(socket) ?? new Set()] as const);
  return {
    ...server,
    subscribed: () =>
      open().flatMap(([, streams]) => [...streams].map(stream => String(stream).split('@')[0]!.toUpperCase())),
    tick(symbol, price, at) {
      const text = String(price);
      const event = { e: '24hrMiniTicker', E: at, s: symbol, c: text, o: text, h: text, l: text, v: '10', q: '20' };
      for (const [socket, streams] of open()) {
        if (streams.has(`${symbol.toLowerCase()}@miniTicker`)) socket.send(JSON.stringify(event));
      }
    },
    say(text) {
      for (const [socket] of open()) socket.send(text);
    },
  };
}
