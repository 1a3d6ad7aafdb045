import { appendFile } from "node:fs/promises";

/** The number of stored lines, sufficient for the context of the last fatal line. */
const keptLines = 100;
/** Lines before this line do not explain why the program ended. */
const readyLine = "database system is ready to accept connections";
/** After the program has ended, its child processes may keep the pipe open for a moment. */
const remainderMs = 1_000;

/** The output of a PostgreSQL program, split into lines. */
export type Output = {
  /**
   * Returns the time of the last output, by `performance.now()`. Before the first output, returns the time at which
   * reading began.
   */
  lastAt(): number;
  /** Returns the last lines since the program was started or ready. Call this function after the program has ended. */
  lines(): Promise<readonly string[]>;
};

export type OutputOptions = {
  /** A file to which all output is appended, if the disk has space. The service does not depend on this file. */
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
