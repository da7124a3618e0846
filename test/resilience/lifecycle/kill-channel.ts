// The name of the channel by which a test ends a thread.

export const KILL_CHANNEL = 'tidemark-test-killChannel';
