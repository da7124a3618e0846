// The name of the channel by which a test calls a thread to its death.

export const DOOM = 'tidemark-test-doom';
