// The URL of the demo's store, unless `--store` names another.

export const DEMO_STORE = 'sqlite:data/demo.db';
