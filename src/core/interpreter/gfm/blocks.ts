import { unescaped } from "./characters.ts";
import { type Cursor, cursorOf, indentAt, isBlank, restOf, skipColumns, skipTo } from "./cursor.ts";
import { type Definitions, labelOf, withoutDefinitions } from "./definitions.ts";
import { formulaBlock } from "./formulas.ts";
import { type Align, cellsOf, delimiterRow } from "./table.ts";

/** The line range of a block, counted from the first line of the text. */
type Lines = { readonly begin: number; end: number };

export type Leaf = Lines &
  (
    | { readonly kind: "paragraph"; lines: string[] }
    | { readonly kind: "heading"; readonly level: number; readonly text: string }
    | { readonly kind: "rule" }
    | Code
    /** A display formula with its delimiters. A formula that is never closed is displayed as a paragraph. */
    | { readonly kind: "math"; readonly lines: string[]; readonly closing: string; isClosed: boolean }
    | { readonly kind: "table"; readonly aligns: readonly Align[]; readonly rows: string[][] }
  );

type Code = {
  readonly kind: "code";
  readonly language: string;
  readonly lines: string[];
  /** Absent for indented code. */
  readonly fence?: { readonly mark: string; readonly size: number; readonly indent: number };
  isClosed: boolean;
};

export type Container = Lines & { readonly blocks: Block[] } & (
    | { readonly kind: "document" | "quote" }
    | { readonly kind: "list"; readonly mark: string; readonly start: number | undefined }
    | { readonly kind: "item"; readonly size: number }
    | { readonly kind: "footnote"; readonly label: string }
  );

export type Block = Leaf | Container;

/**
 * Parses lines into blocks according to CommonMark and GitHub, without raw HTML. Link definitions are added to
 * `definitions`.
 */
export function readBlocks(lines: readonly string[], definitions: Definitions): ReadBlocks {
  const document: Container = { kind: "document", blocks: [], begin: 0, end: 0 };
  const state: State = { open: [document], leaf: undefined, line: 0, definitions };
  for (const [line, text] of lines.entries()) {
    state.line = line;
    takeLine(state, cursorOf(text));
  }
  const { leaf } = state;
  closeTo(state, 1);
  closeLeaf(state);
  return { blocks: document.blocks, open: leaf };
}

/** The parsed blocks. `open` is the last leaf, if the next line could continue it. */
export type ReadBlocks = { readonly blocks: readonly Block[]; readonly open: Leaf | undefined };

/**
 * The maximum nesting depth of blocks. Deeper markers are treated as text. A list counts as two levels. Clients render
 * rich text up to a depth of 64.
 */
const maxDepth = 56;

type State = {
  readonly open: Container[];
  /** The open block inside the innermost container. */
  leaf: Leaf | undefined;
  line: number;
  readonly definitions: Definitions;
};

function takeLine(state: State, cursor: Cursor): void {
  const { open } = state;
  let matched = 1;
  for (; matched < open.length; matched++) {
    const container = open[matched];
    if (!container || !goesOn(container, cursor, state)) break;
  }
  let isWhole = matched === open.length;
  if (isWhole && takesRaw(state, cursor)) return;
  for (;;) {
    const begin = beginBlock(state, cursor, { matched, isWhole });
    if (begin === "leaf") return;
    if (begin === "none") break;
    matched = open.length;
    isWhole = true;
  }
  const { leaf } = state;
  const text = restOf(cursor).replace(/^[ \t]+/, "");
  if (!isWhole && leaf?.kind === "paragraph" && !isBlank(text)) {
    leaf.lines.push(text);
    touch(state);
    return;
  }
  closeTo(state, matched);
  takeText(state, text);
}

/** Whether the line continues this container. If so, the cursor is moved past the container's marker or indentation. */
function goesOn(container: Container, cursor: Cursor, { line }: State): boolean {
  const { width, next } = indentAt(cursor);
  const isEmpty = next >= cursor.line.length;
  switch (container.kind) {
    case "quote":
      if (width > 3 || cursor.line[next] !== ">") return false;
      skipTo(cursor, next + 1);
      skipColumns(cursor, 1);
      return true;
    case "item":
      if (isEmpty) {
        // An item that starts with a blank line ends at the next blank line.
        if (container.blocks.length === 0 && line > container.begin) return false;
        skipTo(cursor, next);
        return true;
      }
      if (width < container.size) return false;
      skipColumns(cursor, container.size);
      return true;
    case "footnote":
      if (!isEmpty && width < 4) return false;
      skipColumns(cursor, 4);
      return true;
    default:
      return true;
  }
}

/**
 * Adds a line to an open code block or formula without parsing the line. Returns false if the line does not belong to
 * such a block.
 */
function takesRaw(state: State, cursor: Cursor): boolean {
  const { leaf } = state;
  if (leaf?.kind === "code") return leaf.fence ? takesFenced(state, leaf, cursor) : takesIndented(state, leaf, cursor);
  if (leaf?.kind !== "math" || leaf.isClosed) return false;
  const text = restOf(cursor).trim();
  if (text === "") {
    closeLeaf(state);
    return true;
  }
  leaf.isClosed = text.endsWith(leaf.closing);
  leaf.lines.push(text);
  touch(state);
  if (leaf.isClosed) closeLeaf(state);
  return true;
}

function takesFenced(state: State, leaf: Leaf & Code, cursor: Cursor): boolean {
  const { mark = "", size = 0, indent = 0 } = leaf.fence ?? {};
  const { width, next } = indentAt(cursor);
  const found = closingFence.exec(cursor.line.slice(next))?.[1];
  touch(state);
  if (width < 4 && found?.[0] === mark && found.length >= size) {
    leaf.isClosed = true;
    closeLeaf(state);
    return true;
  }
  skipColumns(cursor, Math.min(indent, width));
  leaf.lines.push(restOf(cursor));
  return true;
}

const closingFence = /^(`{3,}|~{3,})[ \t]*$/;

function takesIndented(state: State, leaf: Leaf & Code, cursor: Cursor): boolean {
  const { width, next } = indentAt(cursor);
  const isEmpty = next >= cursor.line.length;
  if (width < 4 && !isEmpty) return false;
  skipColumns(cursor, 4);
  leaf.lines.push(restOf(cursor));
  if (!isEmpty) touch(state);
  return true;
}

type Place = { readonly matched: number; readonly isWhole: boolean };

/**
 * Starts the block whose marker is at the cursor. Returns `leaf` if the line is consumed, `container` if another block
 * may start after the marker, and `none` if there is no marker.
 */
function beginBlock(state: State, cursor: Cursor, place: Place): "leaf" | "container" | "none" {
  const { width, next } = indentAt(cursor);
  const rest = cursor.line.slice(next);
  if (rest === "") return "none";
  const paragraph = state.leaf?.kind === "paragraph" ? state.leaf : undefined;
  const interrupted = place.isWhole ? paragraph : undefined;
  const add = (leaf: LeafContent): "leaf" => {
    closeLeaf(state);
    closeTo(state, place.matched);
    addLeaf(state, leaf);
    return "leaf";
  };
  if (width > 3) {
    if (paragraph) return "none";
    skipColumns(cursor, 4);
    return add({ kind: "code", language: "", lines: [restOf(cursor)], isClosed: false });
  }
  const heading = /^(#{1,6})(?:[ \t]+|$)/.exec(rest);
  if (heading) {
    const [mark, { length: level = 1 } = ""] = heading;
    return add({ kind: "heading", level, text: withoutClosing(rest.slice(mark.length)) });
  }
  const fence = /^(`{3,}(?=[^`]*$)|~{3,})[ \t]*(\S*)/.exec(rest);
  if (fence) {
    const [, marks = "", language = ""] = fence;
    const size = { mark: marks[0] ?? "", size: marks.length, indent: width };
    return add({ kind: "code", language: unescaped(language), lines: [], fence: size, isClosed: false });
  }
  const formula = formulaBlock(rest);
  if (formula && (formula.isAlone || !paragraph)) {
    const { closing, isClosed } = formula;
    add({ kind: "math", lines: [rest.trim()], closing, isClosed });
    if (isClosed) closeLeaf(state);
    return "leaf";
  }
  if (interrupted && underline.test(rest) && underlines(state, interrupted, rest)) return "leaf";
  if (rule.test(rest)) return add({ kind: "rule" });
  return beginContainer(state, cursor, { ...place, width, next, rest, isInterrupting: interrupted !== undefined });
}

const underline = /^(?:=+|-+)[ \t]*$/;
const rule = /^(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/;

function withoutClosing(text: string): string {
  const trimmed = text.trim();
  const [marks = ""] = /#+$/.exec(trimmed) ?? [];
  const words = trimmed.slice(0, trimmed.length - marks.length);
  return words === "" || /[ \t]$/.test(words) ? words.trimEnd() : trimmed;
}

/** Converts the paragraph to a heading. Returns false if the paragraph contains only link definitions. */
function underlines(state: State, paragraph: Leaf & { kind: "paragraph" }, rest: string): boolean {
  paragraph.lines = withoutDefinitions(paragraph.lines, state.definitions);
  if (paragraph.lines.length === 0) return false;
  const parent = state.open.at(-1);
  const level = rest.startsWith("=") ? 1 : 2;
  parent?.blocks.pop();
  state.leaf = undefined;
  parent?.blocks.push({
    kind: "heading",
    level,
    text: paragraph.lines.join("\n").trimEnd(),
    begin: paragraph.begin,
    end: state.line,
  });
  touch(state);
  return true;
}

type ContainerPlace = Place & {
  readonly width: number;
  readonly next: number;
  readonly rest: string;
  readonly isInterrupting: boolean;
};

function beginContainer(state: State, cursor: Cursor, place: ContainerPlace): "container" | "none" {
  const { rest, next, matched, isInterrupting } = place;
  if (matched >= maxDepth) return "none";
  const lines = { begin: state.line, end: state.line };
  const close = (): void => {
    closeLeaf(state);
    closeTo(state, matched);
  };
  if (rest.startsWith(">")) {
    close();
    skipTo(cursor, next + 1);
    skipColumns(cursor, 1);
    addContainer(state, { kind: "quote", blocks: [], ...lines });
    return "container";
  }
  const footnote = /^\[\^((?:[^\s[\]\\]|\\.){1,200})\]:[ \t]*/.exec(rest);
  if (footnote && state.open.slice(1, matched).every(({ kind }) => kind === "list")) {
    close();
    skipTo(cursor, next + footnote[0].length);
    addContainer(state, { kind: "footnote", label: labelOf(footnote[1] ?? ""), blocks: [], ...lines });
    return "container";
  }
  const found = /^(?:([-+*])|(\d{1,9})([.)]))(?=[ \t]|$)/.exec(rest);
  if (!found) return "none";
  const [marks, bullet, number, delimiter] = found;
  const isEmpty = /^[ \t]*$/.test(rest.slice(marks.length));
  // An item can interrupt a paragraph only if it is not empty and, in a numbered list, its number is 1.
  if (isInterrupting && (isEmpty || (number !== undefined && Number(number) !== 1))) return "none";
  close();
  skipTo(cursor, next + marks.length);
  const { width: space } = indentAt(cursor);
  const padding = isEmpty || space > 4 ? 1 : space;
  skipColumns(cursor, padding);
  const mark = bullet ?? delimiter ?? "";
  const list = state.open.at(-1);
  if (list?.kind !== "list" || list.mark !== mark) {
    const start = number === undefined ? undefined : Number(number);
    addContainer(state, { kind: "list", mark, start, blocks: [], ...lines });
  }
  addContainer(state, { kind: "item", size: place.width + marks.length + padding, blocks: [], ...lines });
  return "container";
}

/** Adds the text that follows all markers of a line. A blank line closes the open leaf. */
function takeText(state: State, text: string): void {
  if (isBlank(text) || state.leaf?.kind === "code") closeLeaf(state);
  if (isBlank(text)) return;
  const { leaf } = state;
  if (leaf?.kind === "table") leaf.rows.push(cellsOf(text).slice(0, leaf.aligns.length));
  else if (leaf?.kind === "paragraph" && !becomesTable(state, leaf, text)) leaf.lines.push(text);
  else if (!leaf) addLeaf(state, { kind: "paragraph", lines: [text] });
  touch(state);
}

/**
 * Converts the last line of a paragraph to a table header. Returns false if `text`, the next line, is not a delimiter
 * row with the same number of cells.
 */
function becomesTable(state: State, paragraph: Leaf & { kind: "paragraph" }, text: string): boolean {
  const aligns = delimiterRow(text);
  const head = cellsOf(paragraph.lines.at(-1) ?? "");
  if (!aligns || aligns.length !== head.length) return false;
  paragraph.lines.pop();
  paragraph.end -= 1;
  closeLeaf(state);
  const table: Leaf = { kind: "table", aligns, rows: [head], begin: state.line - 1, end: state.line };
  state.open.at(-1)?.blocks.push(table);
  state.leaf = table;
  return true;
}

type LeafContent = Leaf extends infer One ? (One extends Leaf ? Omit<One, "begin" | "end"> : never) : never;

function addLeaf(state: State, content: LeafContent): void {
  if (state.open.at(-1)?.kind === "list") state.open.pop();
  const leaf: Leaf = { ...content, begin: state.line, end: state.line };
  state.open.at(-1)?.blocks.push(leaf);
  state.leaf = leaf.kind === "heading" || leaf.kind === "rule" ? undefined : leaf;
  touch(state);
}

function addContainer(state: State, container: Container): void {
  if (state.open.at(-1)?.kind === "list" && container.kind !== "item") state.open.pop();
  state.open.at(-1)?.blocks.push(container);
  state.open.push(container);
  touch(state);
}

/** Extends all open blocks to the current line. */
function touch({ open, leaf, line }: State): void {
  for (const container of open) container.end = line;
  if (leaf) leaf.end = line;
}

function closeTo(state: State, depth: number): void {
  if (state.open.length === depth) return;
  closeLeaf(state);
  state.open.length = depth;
}

function closeLeaf(state: State): void {
  const { leaf } = state;
  state.leaf = undefined;
  if (leaf?.kind === "paragraph") {
    leaf.lines = withoutDefinitions(leaf.lines, state.definitions);
    if (leaf.lines.length === 0) state.open.at(-1)?.blocks.pop();
  } else if (leaf?.kind === "code" && !leaf.fence) {
    while (leaf.lines.at(-1)?.trim() === "") leaf.lines.pop();
  }
}
