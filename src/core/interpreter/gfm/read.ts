import type { RichElement, RichNode } from "../rich-text/nodes.ts";
import { isElement } from "../rich-text/nodes.ts";
import { type Block, type Container, readBlocks } from "./blocks.ts";
import type { Definitions } from "./definitions.ts";
import { footnoteOf, type Tree, treeOf } from "./tree.ts";

/**
 * A text without Markdown: a paragraph for consecutive lines, an empty paragraph for blank lines. Beyond the bound, the
 * rest is a single paragraph.
 */
function plainNodes(text: string): RichElement[] {
  const parts = text
    .trim()
    .split(/\n(?:[ \t]*\n)+/)
    .filter((part) => part !== "");
  const shown =
    parts.length > mostParagraphs
      ? [...parts.slice(0, mostParagraphs), parts.slice(mostParagraphs).join("\n\n")]
      : parts;
  return shown.flatMap((part, index) => [...(index > 0 ? [paragraph("")] : []), paragraph(part)]);
}

const mostParagraphs = 1_000;

function paragraph(text: string): RichElement {
  return { type: "p", children: [{ text }] };
}

function countOf(nodes: readonly RichNode[]): number {
  let count = nodes.length;
  for (const node of nodes) if (isElement(node)) count += countOf(node.children);
  return count;
}

/**
 * An answer of a model as rich text: Markdown as GitHub reads it, with formulas, and without raw HTML. If a text is too
 * long, its beginning is read as Markdown, and the rest as plain paragraphs.
 */
export function readAnswer(text: string): RichNode[] {
  return createAnswer()(text, { isWhole: true });
}

/**
 * Reads a growing answer, with more text at each call. Shown nodes do not move when the rest arrives: an unfinished
 * construct is read as its most likely form. `isWhole` gives the tree of `readAnswer`. Each call reads only the last
 * block again.
 */
export function createAnswer(): (text: string, state: { readonly isWhole: boolean }) => RichNode[] {
  let settled = nothing();
  let before = "";
  let known: Tree["known"] = new Map();
  return (given, { isWhole }) => {
    const { markdown, plain } = partsOf(given.replaceAll(/\r\n?/g, "\n").replaceAll("\0", "\ufffd"));
    if (!markdown.startsWith(before)) settled = nothing();
    before = markdown;
    const isOver = isWhole || plain !== "";
    const lines = markdown.slice(settled.length).split("\n");
    const definitions: Definitions = new Map(settled.definitions);
    const { blocks, open } = readBlocks(isOver ? lines : clearLines(lines), definitions);
    const begun = blocks.length > 1 ? (blocks.at(-1)?.begin ?? 0) : 0;
    const moved = blocks.map((block) => movedBlock(block, settled.lines));
    const isSame = !isOver && definitions.size === settled.definitions.size;
    const start = isSame ? settled : nothing();
    const nodes = nodesOf(start, isSame ? moved : [...settled.blocks, ...moved], {
      definitions,
      open: isOver ? undefined : open,
      ...{ isOver, markdown, known },
    });
    // A block ends once another has certainly begun, on a complete line.
    if (begun > 0 && begun < lines.length - 1) {
      settled = settle(settled, lines.slice(0, begun));
      known = new Map();
    }
    return [...nodes, ...plainNodes(plain)];
  };
}

/** Blocks that no later text can change, except for definitions of links. */
type Settled = {
  readonly blocks: readonly Block[];
  /** The nodes of the blocks, as they were read with these definitions. */
  readonly nodes: readonly RichElement[];
  readonly lines: number;
  readonly length: number;
  readonly definitions: Definitions;
  /** Numbers of footnotes by their labels. */
  readonly notes: ReadonlyMap<string, number>;
};

function nothing(): Settled {
  return { blocks: [], nodes: [], lines: 0, length: 0, definitions: new Map(), notes: new Map() };
}

function settle(before: Settled, lines: readonly string[]): Settled {
  const definitions: Definitions = new Map(before.definitions);
  const blocks = readBlocks(lines, definitions).blocks.map((block) => movedBlock(block, before.lines));
  const isSame = definitions.size === before.definitions.size;
  const all = [...before.blocks, ...blocks];
  const notes = new Map(isSame ? before.notes : []);
  const tree = treeWith({ definitions, open: undefined, isOver: false, known: new Map() }, notes, all);
  return {
    blocks: all,
    nodes: isSame ? [...before.nodes, ...treeOf(blocks, tree, lastShown(before.blocks))] : treeOf(all, tree),
    lines: before.lines + lines.length,
    length: before.length + lines.reduce((sum, line) => sum + line.length + 1, 0),
    definitions,
    notes,
  };
}

type Whole = Omit<Tree, "note"> & { readonly isOver: boolean };

/**
 * The nodes of these blocks after the settled ones, up to the number that a page can draw, and the footnotes that they
 * refer to.
 */
function nodesOf(before: Settled, blocks: readonly Block[], whole: Whole & { readonly markdown: string }): RichNode[] {
  const notes = new Map(before.notes);
  const tree = treeWith(whole, notes, [...before.blocks, ...blocks]);
  const nodes: RichElement[] = [...before.nodes];
  let count = countOf(nodes);
  let previous = lastShown(before.blocks);
  for (const block of blocks) {
    const more = treeOf([block], tree, previous);
    count += countOf(more);
    if (count > mostNodes) return [...nodes, ...plainNodes(whole.markdown.split("\n").slice(block.begin).join("\n"))];
    for (const node of more) nodes.push(node);
    if (block.kind !== "footnote") previous = block;
  }
  return [...nodes, ...footnotesOf([...before.blocks, ...blocks], notes, tree)];
}

/**
 * A node is 45 bytes in a response, and an element in the page: 20,000 take a phone a second. A long answer has a tenth
 * of this.
 */
const mostNodes = 20_000;

function treeWith(
  { definitions, open, isOver, known }: Whole,
  notes: Map<string, number>,
  blocks: readonly Block[],
): Tree {
  const defined = new Set(blocks.map((block) => (block.kind === "footnote" ? block.label : undefined)));
  return {
    ...{ definitions, open, known },
    note(label) {
      // While the answer grows, its footnotes have not arrived yet.
      if (isOver && !defined.has(label)) return undefined;
      const number = notes.get(label) ?? notes.size + 1;
      notes.set(label, number);
      return number;
    },
  };
}

/** In the order of their numbers; footnotes may refer to other footnotes. */
function footnotesOf(blocks: readonly Block[], notes: ReadonlyMap<string, number>, tree: Tree): RichNode[] {
  const byLabel = new Map<string, Container>();
  for (const block of blocks)
    if (block.kind === "footnote" && !byLabel.has(block.label)) byLabel.set(block.label, block);
  const children: RichElement[] = [];
  // The map grows during this loop.
  for (const [label, number] of notes) {
    const block = byLabel.get(label);
    if (block) children.push(footnoteOf(block, number, tree));
  }
  return children.length > 0 ? [{ type: "footnotes", children }] : [];
}

function lastShown(blocks: readonly Block[]): Block | undefined {
  return blocks.findLast(({ kind }) => kind !== "footnote");
}

function movedBlock<One extends Block>(block: One, by: number): One {
  if (by === 0) return block;
  return Object.assign(block, { begin: block.begin + by, end: block.end + by });
}

/**
 * The text without an ending that may still become something else: half a rule, the mark of a list, of code, of a
 * footnote, of a formula.
 */
function clearLines(lines: readonly string[]): readonly string[] {
  const last = lines.at(-1) ?? "";
  const isUnclear =
    /^[ \t>]*(?:[-+*_=~`#$]+|\d{1,9}[.)]?|\[\^[^\]]*\]?)?[ \t]*$/.test(last) || isBegunFormula.test(last);
  return isUnclear ? lines.slice(0, -1) : lines;
}

/** A bracket with a backslash before it, and no mathematical sign so far. */
const isBegunFormula = /^[ \t>]*\\(?:\[[^\]=+<>^{}|]*)?$/;

/** More than the limit for an answer of a model (`limits.models.answerCharacters`). */
const markdownCharacters = 65_536;

function partsOf(text: string): { readonly markdown: string; readonly plain: string } {
  const whole = text.replace(/^(?:[ \t]*\n)+/, "");
  if (whole.length <= markdownCharacters) return { markdown: whole, plain: "" };
  const line = whole.lastIndexOf("\n", markdownCharacters);
  const end =
    line > 0 ? line : markdownCharacters - (/[\ud800-\udbff]/.test(whole[markdownCharacters - 1] ?? "") ? 1 : 0);
  return { markdown: whole.slice(0, end), plain: whole.slice(end) };
}
