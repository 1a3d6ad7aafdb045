import { appendFile } from "node:fs/promises";

/** What is kept of it: enough for the lines around the last fatal one. */
const keptLines = 100;
/** What was said before it was ready has nothing to do with how it ends. */
const readyLine = "database system is ready to accept connections";
/** After its end, processes that it left may hold the pipe open for moments. */
const remainderMs = 1_000;

/** What a program of PostgreSQL writes, as lines. */
export type Output = {
  /** When it last wrote something, by `performance.now()`; at first, when reading began. */
  lastAt(): number;
  /** The last lines since it was ready, all that it wrote before its end included. Call it once the program has ended. */
  lines(): Promise<readonly string[]>;
};

export type OutputOptions = {
  /** A file that all of it is appended to, as far as the disk has room: what we need to know does not depend on it. */
  readonly file?: string;
  onLine?(line: string): void;
};

/** Reads the pipe of a program until it is closed. */
export function readOutput(pipe: ReadableStream<Uint8Array>, { file, onLine }: OutputOptions = {}): Output {
  const kept: string[] = [];
  let rest = "";
  let lastAt = performance.now();
  const take = (line: string): void => {
    if (line.includes(readyLine)) kept.length = 0;
    kept.push(line.trim());
    if (kept.length > keptLines) kept.shift();
    onLine?.(line);
  };
  const read = async (): Promise<void> => {
    const decoder = new TextDecoder();
    for await (const chunk of pipe) {
      lastAt = performance.now();
      const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) take(line);
      if (file !== undefined) await appendFile(file, chunk, { mode: 0o600 }).catch(() => {});
    }
  };
  const ended = read();
  return {
    lastAt: () => lastAt,
    async lines() {
      await Promise.race([ended, Bun.sleep(remainderMs)]);
      return rest === "" ? kept : [...kept, rest.trim()];
    },
  };
}
