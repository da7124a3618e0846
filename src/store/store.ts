// What the other stages use of the store: its port. `open.ts` opens one.

export * from './port/store.ts';
