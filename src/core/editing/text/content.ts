import { isJsonObject, type JsonObject } from "../../interpreter/flow.ts";
import { isSame } from "./json.ts";

/** The properties of a line, which are stored at the end of the line as one unit of a rich text. */
export type LineEnd = {
  /** The line's own keys: its type and unknown keys. */
  readonly of?: JsonObject;
  /** The keys of the elements that contain the line, outermost first: lists and list items. */
  readonly in?: readonly JsonObject[];
  /**
   * The number of enclosing elements that are shared with the previous line. Absent if it is the usual number (see
   * `usualJoins`).
   */
  readonly joins?: number;
  /** Whether links and unknown nodes are surrounded by empty leaves. */
  readonly isPadded?: true;
  /** Whether the line consists of a single unknown node. */
  readonly isNode?: true;
  /** Whether the text is empty and has no line. */
  readonly isNone?: true;
};

/**
 * A segment of rich text. A character counts as many units as it has in UTF-16. An unknown node and the end of a line
 * count as one unit each.
 */
export type Segment =
  | { readonly text: string; readonly marks?: JsonObject; readonly link?: JsonObject }
  | { readonly node: unknown }
  | { readonly line: LineEnd };

/** A text as a sequence of units: a plain string, or segments of rich text. */
export type Content = string | readonly Segment[];

/**
 * New formatting for units. `marks` and `link` apply to characters, where null removes a mark or the link. `line`
 * applies to ends of lines.
 */
export type Looks = { readonly marks?: JsonObject; readonly link?: JsonObject | null; readonly line?: LineEnd };

export function lengthOf(content: Content): number {
  if (typeof content === "string") return content.length;
  return content.reduce((sum, segment) => sum + lengthOfSegment(segment), 0);
}

export function lengthOfSegment(segment: Segment): number {
  return "text" in segment ? segment.text.length : 1;
}

export function joined(parts: readonly Content[], kind: "plain" | "rich"): Content {
  if (kind === "plain") return parts.join("");
  const segments: Segment[] = [];
  for (const part of parts) if (typeof part !== "string") for (const segment of part) addSegment(segments, segment);
  return segments;
}

/** Appends a segment to a list. Adjacent characters with the same formatting are merged into one segment. */
export function addSegment(segments: Segment[], segment: Segment): void {
  const last = segments.at(-1);
  if ("text" in segment && segment.text === "") return;
  if (last && "text" in last && "text" in segment && hasSameLooks(last, segment)) {
    segments[segments.length - 1] = { ...last, text: last.text + segment.text };
  } else segments.push(segment);
}

export function hasSameLooks(one: Segment, other: Segment): boolean {
  if ("text" in one && "text" in other) return isSame(one.marks, other.marks) && isSame(one.link, other.link);
  if ("line" in one && "line" in other) return isSame(one.line, other.line);
  return "node" in one && "node" in other && isSame(one.node, other.node);
}

export type Reader = {
  /** Returns the next `count` units, or fewer at the end. */
  take(count: number): Content;
  /** Returns up to `count` units that belong to one segment, or undefined at the end. */
  takeSegment(count: number): Segment | undefined;
  isAtEnd(): boolean;
};

export function readerOf(content: Content): Reader {
  if (typeof content === "string") return readerOfString(content);
  let index = 0;
  let offset = 0;
  const takeSegment = (count: number): Segment | undefined => {
    const segment = content[index];
    if (!segment || count === 0) return undefined;
    if (!("text" in segment)) {
      index++;
      return segment;
    }
    const text = segment.text.slice(offset, offset + count);
    offset += text.length;
    const isWhole = text.length === segment.text.length;
    if (offset === segment.text.length) [index, offset] = [index + 1, 0];
    return isWhole ? segment : { ...segment, text };
  };
  return {
    takeSegment,
    take(count) {
      const taken: Segment[] = [];
      for (let left = count; left > 0; ) {
        const segment = takeSegment(left);
        if (!segment) break;
        taken.push(segment);
        left -= lengthOfSegment(segment);
      }
      return taken;
    },
    isAtEnd: () => index >= content.length,
  };
}

function readerOfString(content: string): Reader {
  let offset = 0;
  const take = (count: number): string => {
    const text = content.slice(offset, offset + count);
    offset += text.length;
    return text;
  };
  return {
    take,
    takeSegment(count) {
      const text = take(count);
      return text === "" ? undefined : { text };
    },
    isAtEnd: () => offset >= content.length,
  };
}

/** Returns a segment with new formatting. Unknown nodes have no formatting. */
export function withLooks(segment: Segment, looks: Looks): Segment {
  if ("node" in segment) return segment;
  if ("line" in segment) return looks.line ? { line: looks.line } : segment;
  const { text, marks, link } = segment;
  const kept = Object.entries({ ...marks, ...looks.marks }).filter(([, value]) => value !== null);
  const linked = looks.link === undefined ? link : (looks.link ?? undefined);
  return { text, ...(kept.length > 0 && { marks: Object.fromEntries(kept) }), ...(linked && { link: linked }) };
}

/** Returns the current values of the formatting that `looks` would change. */
export function looksBefore(segment: Segment, looks: Looks): Looks {
  if ("node" in segment) return {};
  if ("line" in segment) return looks.line ? { line: segment.line } : {};
  const keys = Object.keys(looks.marks ?? {});
  const before = Object.fromEntries(keys.map((key) => [key, ownMark(segment.marks, key)]));
  return {
    ...(keys.length > 0 && { marks: before }),
    ...(looks.link !== undefined && { link: segment.link ?? null }),
  };
}

/** Returns the formatting that turns one segment into another, or undefined if the formatting is equal. */
export function looksBetween(before: Segment, after: Segment): Looks | undefined {
  if (hasSameLooks(before, after)) return undefined;
  if ("line" in before && "line" in after) return { line: after.line };
  if (!("text" in before && "text" in after)) return undefined;
  const keys = new Set([...Object.keys(before.marks ?? {}), ...Object.keys(after.marks ?? {})]);
  const others = [...keys].filter((key) => !isSame(before.marks?.[key], after.marks?.[key]));
  const marks = Object.fromEntries(others.map((key) => [key, ownMark(after.marks, key)]));
  return {
    ...(others.length > 0 && { marks }),
    ...(!isSame(before.link, after.link) && { link: after.link ?? null }),
  };
}

/** Returns formatting without the parts that `later` overrides, or undefined if nothing remains. */
export function withoutLooks(looks: Looks, later: Looks): Looks | undefined {
  const marks = Object.entries(looks.marks ?? {}).filter(([key]) => !Object.hasOwn(later.marks ?? {}, key));
  return someLooks({
    ...(marks.length > 0 && { marks: Object.fromEntries(marks) }),
    ...(looks.link !== undefined && later.link === undefined && { link: looks.link }),
    ...(looks.line && !later.line && { line: looks.line }),
  });
}

export function laterLooks(looks: Looks, later: Looks): Looks {
  const marks = { ...looks.marks, ...later.marks };
  return { ...looks, ...later, ...(Object.keys(marks).length > 0 && { marks }) };
}

function someLooks(looks: Looks): Looks | undefined {
  return Object.keys(looks).length > 0 ? looks : undefined;
}

function ownMark(marks: JsonObject | undefined, key: string): unknown {
  return isJsonObject(marks) && Object.hasOwn(marks, key) ? marks[key] : null;
}
