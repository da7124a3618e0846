// Whether a process exists, by its number.

export function isAlive(pid: number): boolean {
  try {
    // Sends nothing.
    return process.kill(pid, 0);
  } catch (error) {
    // A process that belongs to another user is alive.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
