import { appendFile } from "node:fs/promises";

/** The kept part of it: enough for the lines around the last fatal one. */
const keptLines = 100;
/** Lines from before it was ready say nothing about its end. */
const readyLine = "database system is ready to accept connections";
/** After its end, processes that it left may hold the pipe open for moments. */
const remainderMs = 1_000;

/** The output of a PostgreSQL program, as lines. */
export type Output = {
  /** When it last wrote something, by `performance.now()`; at first, when reading began. */
  lastAt(): number;
  /** The last lines since it was ready, up to its end. Call it once the program has ended. */
  lines(): Promise<readonly string[]>;
};

export type OutputOptions = {
  /** A file to which all of it is appended, if the disk has room: nothing that we need depends on it. */
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
