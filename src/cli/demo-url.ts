// Where the demo has its store, unless told otherwise.

export const DEMO_STORE = 'sqlite:data/demo.db';
