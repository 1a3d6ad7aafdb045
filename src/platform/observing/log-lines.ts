/** The bytes that a pipe accepts in one piece: lines of several processes that write to one pipe do not mix. */
const sharedGroupBytes = 4_096;

/** A process that writes alone writes less often: a write costs as much as ten lines. */
const ownGroupBytes = 32_768;

/** How long a line waits for further lines. */
const groupMs = 100;

/** The bytes that may wait for the reader: further lines are lost, and counted. */
const waitingBytes = 4 * 1024 * 1024;

export type LineWriter = {
  /** A line that `isUrgent` is written at once, after the lines before it. */
  write(line: string, options: { readonly isUrgent: boolean }): void;
  flush(): void;
};

type Stream = { write(text: string, onWritten: () => void): unknown };

/**
 * Writes lines in groups, and never waits for their reader.
 *
 *     empty ─ a line ──────────────────────────────────────────────────→ grouping
 *     grouping ─ 100 ms, a full group, an urgent line, the end ────────→ empty: handed to the stream in one piece
 *     any ─ a line while the reader is 4 MB behind ────────────────────→ lost: reported with the first line that finds room again
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
 * The standard error of this process, whose last lines are written when the process ends. `isShared`: other processes
 * of the node also write to it.
 */
export function standardError(options: { readonly isShared: boolean }): LineWriter {
  if (!ownLines) {
    ownLines = createLineWriter(process.stderr, options);
    process.on("exit", ownLines.flush);
  }
  return ownLines;
}
