import {
  type Content,
  joined,
  type Looks,
  laterLooks,
  lengthOf,
  looksBefore,
  readerOf,
  type Segment,
  withLooks,
  withoutLooks,
} from "./content.ts";

/**
 * An operation of an edit. Operations keep, drop or insert units, or keep units with new formatting. The operations of
 * an edit apply from the beginning of the text to its end.
 */
export type TextOp =
  | { readonly keep: number }
  | { readonly drop: number }
  | { readonly put: Content }
  | ({ readonly mark: number } & Looks);

export type TextKind = "plain" | "rich";

/** An edit of a text. `isOptional`: whether an empty text is stored as an absent key. */
export type TextEdit = { readonly text: TextKind; readonly ops: readonly TextOp[]; readonly isOptional?: true };

/** Thrown when an edit was made for a text of another length. */
export class LengthMisses extends Error {
  constructor() {
    super("The edit was made for a text of another length");
    this.name = "LengthMisses";
  }
}

/**
 * Returns the result of a function. If the function throws, throws the error that `wrap` returns for the original
 * error.
 */
export function wrapping<Value>(make: () => Value, wrap: (error: unknown) => unknown): Value {
  try {
    return make();
  } catch (error) {
    throw wrap(error);
  }
}

/** Returns the length of the text before and after an edit, in units. */
export function lengthsOf(ops: readonly TextOp[]): { readonly before: number; readonly after: number } {
  let [before, after] = [0, 0];
  for (const op of ops) {
    if (!("put" in op)) before += countOf(op);
    if (!("drop" in op)) after += countOf(op);
  }
  return { before, after };
}

/** Returns whether an edit leaves every text unchanged. */
export function isIdle(ops: readonly TextOp[]): boolean {
  return ops.every((op) => "keep" in op);
}

/** Applies an edit to text content. Throws `LengthMisses`. */
export function applyOps(content: Content, ops: readonly TextOp[]): Content {
  const kind = typeof content === "string" ? "plain" : "rich";
  requireLength(content, ops);
  const reader = readerOf(content);
  const parts: Content[] = [];
  for (const op of ops) {
    if ("put" in op) parts.push(op.put);
    else if ("keep" in op) parts.push(reader.take(op.keep));
    else if ("drop" in op) reader.take(op.drop);
    else parts.push(segmentsOf(reader.take(op.mark)).map((segment) => withLooks(segment, op)));
  }
  return joined(parts, kind);
}

/** Returns the inverse of an edit of the given content. Throws `LengthMisses`. */
export function invertOps(content: Content, ops: readonly TextOp[]): readonly TextOp[] {
  requireLength(content, ops);
  const reader = readerOf(content);
  const made = opsBuilder();
  for (const op of ops) {
    if ("put" in op) made.drop(lengthOf(op.put));
    else if ("drop" in op) made.put(reader.take(op.drop));
    else if ("keep" in op) {
      reader.take(op.keep);
      made.keep(op.keep);
    } else
      for (const segment of segmentsOf(reader.take(op.mark)))
        made.mark("text" in segment ? segment.text.length : 1, looksBefore(segment, op));
  }
  return made.ops;
}

/**
 * Transforms two concurrent edits of the same text so that each edit can be applied after the other. If both edits
 * insert at the same position, the earlier edit's text comes first. If both edits set the same formatting, the later
 * edit wins. Throws `LengthMisses`.
 */
export function cross(
  earlier: readonly TextOp[],
  later: readonly TextOp[],
): { readonly earlier: readonly TextOp[]; readonly later: readonly TextOp[] } {
  const [one, other] = [cursorOn(earlier), cursorOn(later)];
  const [first, second] = [opsBuilder(), opsBuilder()];
  for (;;) {
    const [a, b] = [one.next(), other.next()];
    if (a && "put" in a) {
      first.put(a.put);
      second.keep(one.takeAll());
    } else if (b && "put" in b) {
      second.put(b.put);
      first.keep(other.takeAll());
    } else if (!a || !b) {
      if (a || b) throw new LengthMisses();
      return { earlier: first.ops, later: second.ops };
    } else {
      const count = Math.min(one.left(), other.left());
      one.skip(count);
      other.skip(count);
      const [isGone, isGoneLater] = ["drop" in a, "drop" in b];
      if (isGone && !isGoneLater) first.drop(count);
      else if (isGoneLater && !isGone) second.drop(count);
      else if (!isGone) {
        const [looks, laterLook] = [looksIn(a), looksIn(b)];
        first.look(count, looks && laterLook ? withoutLooks(looks, laterLook) : looks);
        second.look(count, laterLook);
      }
    }
  }
}

/** Transforms an edit (`mine`) so that it can be applied after a concurrent edit (`theirs`). Throws `LengthMisses`. */
export function transform(mine: readonly TextOp[], theirs: readonly TextOp[]): readonly TextOp[] {
  return cross(theirs, mine).later;
}

/** Combines two consecutive edits into one. Throws `LengthMisses`. */
export function compose(first: readonly TextOp[], second: readonly TextOp[]): readonly TextOp[] {
  const [one, other] = [cursorOn(first), cursorOn(second)];
  const made = opsBuilder();
  for (;;) {
    const [a, b] = [one.next(), other.next()];
    if (a && "drop" in a) {
      made.drop(one.takeAll());
    } else if (b && "put" in b) {
      made.put(b.put);
      other.takeAll();
    } else if (!a || !b) {
      if (a || b) throw new LengthMisses();
      return made.ops;
    } else {
      const count = Math.min(one.left(), other.left());
      const put = one.takePut(count);
      other.skip(count);
      const looks = looksIn(b);
      if ("drop" in b) {
        if (!put) made.drop(count);
      } else if (put) made.put(looks ? segmentsOf(put).map((segment) => withLooks(segment, looks)) : put);
      else {
        const before = looksIn(a);
        made.look(count, before && looks ? laterLooks(before, looks) : (looks ?? before));
      }
    }
  }
}

/**
 * Converts a position before an edit to the position after the edit, for example for another author's caret. A position
 * is between two units, counted from 0. Text inserted at the position comes after it, or before it if `puts` is
 * "before".
 */
export function transformPosition(
  ops: readonly TextOp[],
  position: number,
  puts: "before" | "after" = "after",
): number {
  let [read, moved] = [0, position];
  for (const op of ops) {
    if (read > position) break;
    const count = countOf(op);
    if ("put" in op) {
      if (read < position || puts === "before") moved += count;
    } else {
      if ("drop" in op) moved -= Math.min(count, position - read);
      read += count;
    }
  }
  return moved;
}

/**
 * Converts a position after an edit to the position before the edit, as the inverse of `transformPosition`. A position
 * inside inserted text maps to the start of the insertion.
 */
export function positionBefore(ops: readonly TextOp[], position: number): number {
  let [read, made] = [0, 0];
  for (const op of ops) {
    const count = countOf(op);
    if ("drop" in op) read += made < position ? count : 0;
    else {
      const left = position - made;
      if (left <= count) return "put" in op ? read : read + left;
      made += count;
      if (!("put" in op)) read += count;
    }
  }
  return read;
}

export type OpsBuilder = {
  readonly ops: readonly TextOp[];
  keep(count: number): void;
  drop(count: number): void;
  put(content: Content): void;
  mark(count: number, looks: Looks): void;
  /** Keeps units and applies new formatting, if any. */
  look(count: number, looks: Looks | undefined): void;
};

/** Builds a list of operations. Adjacent operations are merged if they have the same effect. */
export function opsBuilder(): OpsBuilder {
  const ops: TextOp[] = [];
  const keep = (count: number): void => {
    const last = ops.at(-1);
    if (last && "keep" in last) ops[ops.length - 1] = { keep: last.keep + count };
    else if (count > 0) ops.push({ keep: count });
  };
  const mark = (count: number, looks: Looks): void => {
    const last = ops.at(-1);
    if (Object.keys(looks).length === 0) keep(count);
    else if (last && "mark" in last && JSON.stringify(looksIn(last)) === JSON.stringify(looks))
      ops[ops.length - 1] = { ...last, mark: last.mark + count };
    else if (count > 0) ops.push({ mark: count, ...looks });
  };
  return {
    ops,
    keep,
    mark,
    drop(count) {
      const last = ops.at(-1);
      if (last && "drop" in last) ops[ops.length - 1] = { drop: last.drop + count };
      else if (count > 0) ops.push({ drop: count });
    },
    put(content) {
      if (content.length === 0) return;
      const last = ops.at(-1);
      if (last && "put" in last) {
        ops[ops.length - 1] = { put: joined([last.put, content], typeof content === "string" ? "plain" : "rich") };
      } else ops.push({ put: content });
    },
    look: (count, looks) => (looks ? mark(count, looks) : keep(count)),
  };
}

type Cursor = {
  /**
   * Returns the whole operation under the cursor, or undefined at the end. `left` returns the operation's remaining
   * length.
   */
  next(): TextOp | undefined;
  left(): number;
  skip(count: number): void;
  /** Skips the rest of an operation and returns its length. */
  takeAll(): number;
  /** Skips units. Returns the skipped units as content if the operation inserts them, or otherwise undefined. */
  takePut(count: number): Content | undefined;
};

function cursorOn(ops: readonly TextOp[]): Cursor {
  let index = 0;
  let used = 0;
  let put: { readonly at: number; readonly reader: ReturnType<typeof readerOf> } | undefined;
  const left = (): number => {
    const op = ops[index];
    return op ? countOf(op) - used : 0;
  };
  const skip = (count: number): void => {
    used += count;
    if (left() === 0) [index, used] = [index + 1, 0];
  };
  return {
    next: () => ops[index],
    left,
    skip,
    takeAll() {
      const count = left();
      skip(count);
      return count;
    },
    takePut(count) {
      const op = ops[index];
      if (op && "put" in op && put?.at !== index) put = { at: index, reader: readerOf(op.put) };
      const taken = op && "put" in op ? put?.reader.take(count) : undefined;
      skip(count);
      return taken;
    },
  };
}

function countOf(op: TextOp): number {
  if ("keep" in op) return op.keep;
  if ("drop" in op) return op.drop;
  return "put" in op ? lengthOf(op.put) : op.mark;
}

function looksIn(op: TextOp): Looks | undefined {
  if (!("mark" in op)) return undefined;
  const { mark: _, ...looks } = op;
  return looks;
}

function segmentsOf(content: Content): readonly Segment[] {
  return typeof content === "string" ? [] : content;
}

function requireLength(content: Content, ops: readonly TextOp[]): void {
  if (lengthsOf(ops).before !== lengthOf(content)) throw new LengthMisses();
}
