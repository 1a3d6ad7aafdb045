/**
 * The maximum size of a group on a pipe that several processes share. A pipe accepts this many bytes atomically, so
 * that the lines of the processes do not mix.
 */
const sharedGroupBytes = 4_096;

/**
 * The maximum size of a group on a process's own pipe. Such a process writes less often, because a write costs as much
 * as ten lines.
 */
const ownGroupBytes = 32_768;

/** How long a line waits for further lines. */
const groupMs = 100;

/** The maximum number of waiting bytes. Further lines are dropped and counted. */
const waitingBytes = 4 * 1024 * 1024;

export type LineWriter = {
  /** Writes a line. A line with `isUrgent` is written immediately, after the waiting lines. */
  write(line: string, options: { readonly isUrgent: boolean }): void;
  flush(): void;
};

type Stream = { write(text: string, onWritten: () => void): unknown };

/**
 * Writes lines in groups, and never waits for the reader of the stream.
 *
 *     empty ─ a line ────────────────────────────────────────→ grouping
 *     grouping ─ 100 ms, a full group, an urgent line, exit ─→ empty, after the group is written in one piece
 *     any ─ a line while the reader is 4 MB behind ──────────→ lost: reported with the next line that is written
 */
export function createLineWriter(stream: Stream, { isShared }: { readonly isShared: boolean }): LineWriter {
  const groupBytes = isShared ? sharedGroupBytes : ownGroupBytes;
  let group = "";
  let bytes = 0;
  let unread = 0;
  let lost = 0;
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (bytes === 0) return;
    const [text, size] = [group, bytes];
    group = "";
    bytes = 0;
    unread += size;
    stream.write(text, () => {
      unread -= size;
    });
  };
  const add = (line: string, size: number): void => {
    if (bytes > 0 && bytes + size > groupBytes) flush();
    group += line;
    bytes += size;
  };
  return {
    write(line, { isUrgent }) {
      const size = Buffer.byteLength(line);
      if (unread + bytes + size > waitingBytes) {
        lost++;
        return;
      }
      if (lost > 0) {
        const notice = `${JSON.stringify({ time: new Date().toISOString(), level: "warn", message: "Lines of this log were lost: the reader was too slow", lines: lost })}\n`;
        lost = 0;
        add(notice, notice.length);
      }
      add(line, size);
      if (isUrgent) flush();
      else timer ??= setTimeout(flush, groupMs).unref();
    },
    flush,
  };
}

let ownLines: LineWriter | undefined;

/**
 * Returns the writer for this process's standard error. Waiting lines are written when the process ends. `isShared`
 * means that other processes of the node use the same standard error.
 */
export function standardError(options: { readonly isShared: boolean }): LineWriter {
  if (!ownLines) {
    ownLines = createLineWriter(process.stderr, options);
    process.on("exit", ownLines.flush);
  }
  return ownLines;
}
