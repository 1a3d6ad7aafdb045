/** Returns the command that starts this program again, from source or as the single binary. */
export function ownProgram(): string[] {
  return [process.execPath, ...process.execArgv, Bun.main];
}
