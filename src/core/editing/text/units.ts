import { isJsonObject, type JsonObject } from "../../interpreter/flow.ts";
import { addSegment, type LineEnd, type Segment } from "./content.ts";
import { entriesOf, isSame } from "./json.ts";

/**
 * Returns the units of stored rich text: characters with their marks, unknown nodes, and the end of each line with the
 * line's properties. The last unit is always the end of a line. Returns undefined if converting the units back would
 * change the text.
 */
export function unitsOf(tree: readonly unknown[]): readonly Segment[] | undefined {
  const segments = segmentsOfTree(tree);
  return segments?.every(isStorable) && isSame(treeOf(segments), tree) ? segments : undefined;
}

/** Converts units to stored rich text. Every unit has the same position when the result is read again. */
export function treeOf(segments: readonly Segment[]): readonly unknown[] {
  const top: unknown[] = [];
  let open: readonly Open[] = [];
  let letters: Segment[] = [];
  for (const segment of segments) {
    if (!("line" in segment)) {
      letters.push(segment);
      continue;
    }
    const { line } = segment;
    const isNone = line.isNone === true && segments.length === 1;
    if (!isNone) {
      open = opened(open, line, top);
      (open.at(-1)?.children ?? top).push(lineOf(letters, line));
    }
    letters = [];
  }
  return top;
}

/** An element that contains lines, while the lines are being added. */
type Open = { readonly keys: JsonObject; readonly children: unknown[] };

/** Returns the elements that contain a line: elements shared with the previous line, and new elements. */
function opened(before: readonly Open[], line: LineEnd, top: unknown[]): readonly Open[] {
  const around = line.in ?? [];
  const open = before.slice(0, joinsOf(before, line));
  for (const keys of around.slice(open.length)) {
    const children: unknown[] = [];
    (open.at(-1)?.children ?? top).push({ ...keys, children });
    open.push({ keys, children });
  }
  return open;
}

function joinsOf(before: readonly { readonly keys: JsonObject }[], { in: around = [], joins }: LineEnd): number {
  const shared = sharedOf(before, around);
  return joins === undefined ? usualJoins(shared, before.length, around) : Math.min(shared, Math.max(0, joins));
}

/** Returns the number of outermost elements with the same properties. */
function sharedOf(before: readonly { readonly keys: JsonObject }[], around: readonly JsonObject[]): number {
  let shared = 0;
  while (shared < before.length && shared < around.length && isSame(before[shared]?.keys, around[shared])) shared++;
  return shared;
}

/**
 * Returns the default of `joins`. Adjacent lines of a list share the list but not the item. A more deeply nested line
 * also shares the item.
 */
function usualJoins(shared: number, before: number, around: readonly JsonObject[]): number {
  const isFurtherIn = around.length > before && shared === before;
  if (isFurtherIn || shared < around.length) return shared;
  return around.at(-1)?.["type"] === "li" ? shared - 1 : shared;
}

function lineOf(letters: readonly Segment[], { of: keys = paragraph, isPadded, isNode }: LineEnd): unknown {
  const [only] = letters;
  if (isNode && letters.length === 1 && only && "node" in only && isBlockNode(only.node) && !isLeaf(only.node))
    return only.node;
  const children = childrenOf(letters);
  const needsLeaf = !isLineType(keys["type"]) && !children.some(isLeaf);
  return { ...keys, children: isPadded || needsLeaf ? padded(children) : children };
}

const paragraph: JsonObject = { type: "p" };

/** Converts segments to leaves, links with their leaves, and nodes. An empty line has one empty leaf. */
function childrenOf(letters: readonly Segment[]): readonly unknown[] {
  const children: unknown[] = [];
  let link: { readonly keys: JsonObject; readonly children: unknown[] } | undefined;
  for (const segment of letters) {
    if ("node" in segment) {
      link = undefined;
      children.push(segment.node);
    } else if ("text" in segment) {
      const leaf = { ...segment.marks, text: segment.text };
      if (!segment.link) {
        link = undefined;
        children.push(leaf);
      } else if (link && isSame(link.keys, segment.link)) link.children.push(leaf);
      else {
        link = { keys: segment.link, children: [leaf] };
        children.push({ ...link.keys, type: "a", children: link.children });
      }
    }
  }
  return children.length > 0 ? children : [emptyLeaf];
}

const emptyLeaf: JsonObject = { text: "" };

/** Adds empty leaves around links and nodes where they are missing. */
function padded(children: readonly unknown[]): readonly unknown[] {
  const made: unknown[] = [];
  for (const child of children) {
    if (!isLeaf(child) && !isLeaf(made.at(-1))) made.push(emptyLeaf);
    made.push(child);
  }
  if (!isLeaf(made.at(-1))) made.push(emptyLeaf);
  return made;
}

function segmentsOfTree(tree: readonly unknown[]): readonly Segment[] | undefined {
  if (tree.length === 0) return [{ line: { isNone: true } }];
  const segments: Segment[] = [];
  let before: readonly { readonly keys: JsonObject; readonly of: object }[] = [];
  const end = (line: LineEnd, around: readonly { readonly keys: JsonObject; readonly of: object }[]): void => {
    const within = around.map(({ keys }) => keys);
    let joins = 0;
    while (joins < before.length && joins < around.length && before[joins]?.of === around[joins]?.of) joins++;
    const isUsual = joins === usualJoins(sharedOf(before, within), before.length, within);
    segments.push({
      line: { ...line, ...(within.length > 0 && { in: within, ...(!isUsual && { joins }) }) },
    });
    before = around;
  };
  const walk = (blocks: readonly unknown[], around: typeof before): boolean =>
    blocks.every((block) => {
      if (!isJsonObject(block) || isBlockNode(block)) {
        if (isLeaf(block)) return false;
        segments.push({ node: block });
        end({ isNode: true }, around);
        return true;
      }
      const { children, ...keys } = block;
      if (!isLine(block)) return walk(entriesOf(children), [...around, { keys, of: block }]);
      const letters: Segment[] = [];
      for (const child of entriesOf(children)) for (const one of segmentsOfChild(child)) addSegment(letters, one);
      for (const letter of letters) segments.push(letter);
      const list = entriesOf(children);
      const isPadded =
        list.length > 1 && isSame(padded(childrenOf(letters)), list) && !isSame(childrenOf(letters), list);
      end({ ...(!isSame(keys, paragraph) && { of: keys }), ...(isPadded && { isPadded }) }, around);
      return true;
    });
  return walk(tree, []) ? segments : undefined;
}

function segmentsOfChild(child: unknown): readonly Segment[] {
  if (isLeaf(child)) return [segmentOfLeaf(child)];
  if (isJsonObject(child) && child["type"] === "a") {
    const { type: _, children, ...link } = child;
    const leaves = entriesOf(children);
    // A link without text cannot be represented as units and would be lost.
    if (leaves.length > 0 && leaves.every(isFullLeaf)) {
      return leaves.flatMap((leaf) => (isLeaf(leaf) ? [{ ...segmentOfLeaf(leaf), link }] : []));
    }
  }
  return [{ node: child }];
}

type Leaf = JsonObject & { readonly text: string };

function segmentOfLeaf({ text, ...marks }: Leaf): Segment {
  return { text, ...(Object.keys(marks).length > 0 && { marks }) };
}

function isLeaf(child: unknown): child is Leaf {
  return isJsonObject(child) && typeof child["text"] === "string" && !Array.isArray(child["children"]);
}

function isFullLeaf(child: unknown): boolean {
  return isLeaf(child) && child.text !== "";
}

/**
 * Returns whether a received segment can occur in stored text, so that reading the stored text returns an equal
 * segment.
 */
export function isStorable(segment: Segment): boolean {
  if (["text", "node", "line"].filter((kind) => kind in segment).length !== 1) return false;
  if ("node" in segment) {
    const [only, ...others] = segmentsOfChild(segment.node);
    return others.length === 0 && only !== undefined && "node" in only;
  }
  if ("line" in segment) return isStorableLine(segment.line);
  const { text, marks = {}, link = {} } = segment;
  return text !== "" && areStorableMarks(marks) && !("type" in link) && !("children" in link);
}

export function areStorableMarks(marks: JsonObject): boolean {
  return !("text" in marks) && !("children" in marks) && !Object.values(marks).includes(null);
}

export function isStorableLine({ in: around = [], of: keys = {} }: LineEnd): boolean {
  return !("children" in keys) && around.every((one) => !("children" in one) && !isLineType(one["type"]));
}

/** Returns whether a block is a line, either because of its type or because it contains leaves. */
function isLine({ type, children }: JsonObject): boolean {
  return isLineType(type) || entriesOf(children).some(isLeaf);
}

const lineTypes = new Set<unknown>(["p", "h1", "h2", "h3", "h4", "h5", "h6", "lic"]);

export function isLineType(type: unknown): boolean {
  return lineTypes.has(type);
}

/** Returns whether a block contains no part that could be a line. */
function isBlockNode(block: unknown): boolean {
  return !isJsonObject(block) || isLeaf(block) || entriesOf(block["children"]).length === 0;
}
