import type { Tools } from "../command.ts";

const everyMs = 200;

/**
 * Prints the progress of a long task to standard error, in a single line that is updated. If standard error is not a
 * terminal, only the final text is printed.
 */
export function createProgress({ tell }: Pick<Tools, "tell">, verb: string) {
  const isWatched = process.stderr.isTTY;
  let bytes = 0;
  let last = 0;
  return {
    add(what: string, more: number): void {
      bytes += more;
      const now = performance.now();
      if (!isWatched || now - last < everyMs) return;
      last = now;
      process.stderr.write(`\r\u001b[K${verb} ${what}: ${megabytes(bytes)}`);
    },
    /** Replaces the line with a final text. */
    end(text: string): void {
      if (isWatched) process.stderr.write("\r\u001b[K");
      tell(text);
    },
  };
}

export function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
