import { appendFile } from "node:fs/promises";

/** The number of lines that are kept: enough for the lines around the last fatal one. */
const keptLines = 100;
/** Lines from before this one do not explain the program's end. */
const readyLine = "database system is ready to accept connections";
/** After the program's end, processes that it started may keep the pipe open for moments. */
const remainderMs = 1_000;

/** The output of a PostgreSQL program, as lines. */
export type Output = {
  /** The time of the last output, by `performance.now()`; at first, the time when reading began. */
  lastAt(): number;
  /** The last lines between readiness and the end of the program. Call it once the program has ended. */
  lines(): Promise<readonly string[]>;
};

export type OutputOptions = {
  /** A file to which all output is appended, if the disk has room: the service does not depend on it. */
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
