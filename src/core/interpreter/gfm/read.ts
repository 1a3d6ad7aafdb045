import type { RichElement, RichNode } from "../rich-text/nodes.ts";
import { isElement } from "../rich-text/nodes.ts";
import { type Block, type Container, readBlocks } from "./blocks.ts";
import type { Definitions } from "./definitions.ts";
import { footnoteOf, type Tree, treeOf } from "./tree.ts";

/**
 * Converts text to plain paragraphs, without parsing Markdown. Consecutive lines form a paragraph, and blank lines
 * become an empty paragraph. Text beyond `mostParagraphs` becomes a single paragraph.
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
 * Parses an answer of a model to rich text: GitHub-flavoured Markdown with formulas and without raw HTML. If the text
 * is too long, its beginning is parsed as Markdown and the rest becomes plain paragraphs.
 */
export function readAnswer(text: string): RichNode[] {
  return createAnswer()(text, { isWhole: true });
}

/**
 * Returns a function that parses a growing answer. The function is called with the whole text so far. An unfinished
 * construct is parsed as its most likely form, so that displayed nodes rarely move when more text arrives. With
 * `isWhole`, the result equals that of `readAnswer`. Usually, a call parses only the last block again.
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
    // A block is final only after another block has started on a complete line.
    if (begun > 0 && begun < lines.length - 1) {
      settled = settle(settled, lines.slice(0, begun));
      known = new Map();
    }
    return [...nodes, ...plainNodes(plain)];
  };
}

/** Blocks that later text can change only by defining links and footnotes. */
type Settled = {
  readonly blocks: readonly Block[];
  /** The nodes of the blocks, parsed with the link definitions so far. */
  readonly nodes: readonly RichElement[];
  readonly lines: number;
  readonly length: number;
  readonly definitions: Definitions;
  /** The numbers of footnotes by label. */
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
 * Returns the nodes of the settled and the new blocks, followed by the footnotes that the blocks refer to. If there are
 * more than `mostNodes` nodes, the rest of the text becomes plain paragraphs, without footnotes.
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
 * The maximum number of nodes. A phone needs a second to render 20,000 nodes, and a node takes 45 bytes in a response.
 * A long answer has a tenth of this number.
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
      // The footnotes of a growing answer may still be missing.
      if (isOver && !defined.has(label)) return undefined;
      const number = notes.get(label) ?? notes.size + 1;
      notes.set(label, number);
      return number;
    },
  };
}

/** Returns footnotes in numerical order. Footnotes may refer to further footnotes. */
function footnotesOf(blocks: readonly Block[], notes: ReadonlyMap<string, number>, tree: Tree): RichNode[] {
  const byLabel = new Map<string, Container>();
  for (const block of blocks)
    if (block.kind === "footnote" && !byLabel.has(block.label)) byLabel.set(block.label, block);
  const children: RichElement[] = [];
  // The map grows during the iteration.
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
 * Removes an ending that is still ambiguous, such as an incomplete rule or the marker of a list, code block, footnote
 * or formula.
 */
function clearLines(lines: readonly string[]): readonly string[] {
  const last = lines.at(-1) ?? "";
  const isUnclear =
    /^[ \t>]*(?:[-+*_=~`#$]+|\d{1,9}[.)]?|\[\^[^\]]*\]?)?[ \t]*$/.test(last) || isBegunFormula.test(last);
  return isUnclear ? lines.slice(0, -1) : lines;
}

/** Matches a line that consists of a backslash, or of `\[` and text without a mathematical sign. */
const isBegunFormula = /^[ \t>]*\\(?:\[[^\]=+<>^{}|]*)?$/;

/** The limit for Markdown, which is higher than the limit for a model's answer (`limits.models.answerCharacters`). */
const markdownCharacters = 65_536;

function partsOf(text: string): { readonly markdown: string; readonly plain: string } {
  const whole = text.replace(/^(?:[ \t]*\n)+/, "");
  if (whole.length <= markdownCharacters) return { markdown: whole, plain: "" };
  const line = whole.lastIndexOf("\n", markdownCharacters);
  const end =
    line > 0 ? line : markdownCharacters - (/[\ud800-\udbff]/.test(whole[markdownCharacters - 1] ?? "") ? 1 : 0);
  return { markdown: whole.slice(0, end), plain: whole.slice(end) };
}
