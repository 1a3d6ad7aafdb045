import type { Marks } from "../rich-text/marks.ts";
import { isElement, type RichNode, type TextLeaf } from "../rich-text/nodes.ts";
import { safeAddress } from "../rich-text/safe-address.ts";
import { withAddresses } from "./addresses.ts";
import { type Piece, type SignedMark, signedMarks } from "./emphasis.ts";

/** Converts pieces with resolved marks to nodes. Adjacent pieces of text with the same marks are merged. */
export function nodesOf(pieces: readonly Piece[]): RichNode[] {
  const nodes: RichNode[] = [];
  const counts = new Map<SignedMark, number>();
  let list: List = { nodes, isLink: false, last: undefined };
  let image: { readonly depth: number; readonly node: RichNode; readonly leaf: TextLeaf } | undefined;
  let depth = 0;
  for (const piece of pieces) {
    for (const [mark, by] of piece.marks ?? []) counts.set(mark, (counts.get(mark) ?? 0) + by);
    const marks = marksOf(counts);
    if (piece.opens) {
      depth += 1;
      const { url, isImage } = piece.opens;
      if (image) continue;
      if (isImage) {
        const leaf: TextLeaf = { text: "", ...marks };
        image = { depth, leaf, node: { type: "img", url: safeAddress(url), children: [leaf] } };
        continue;
      }
      const children: RichNode[] = [];
      nodes.push({ type: "a", url: safeAddress(url), children });
      list = { nodes: children, isLink: true, last: undefined };
    } else if (piece.closes) {
      if (image?.depth === depth) {
        list.nodes.push(image.node);
        list.last = undefined;
        image = undefined;
      } else if (!image) {
        if (list.nodes.length === 0) list.nodes.push({ text: "" });
        list = { nodes, isLink: false, last: undefined };
      }
      depth -= 1;
    } else if (image) image.leaf.text += piece.isBreak ? "" : shownText(piece);
    else addPiece(list, piece, marks);
  }
  return nodes.flatMap(withLinks);
}

/** A list of nodes under construction. `last`: the leaf to which text with equal marks is appended. */
type List = { readonly nodes: RichNode[]; readonly isLink: boolean; last: TextLeaf | undefined };

function addPiece(list: List, piece: Piece, marks: Marks): void {
  const text = shownText(piece);
  const { nodes, isLink, last } = list;
  if (piece.note !== undefined) {
    nodes.push({ type: "footnote_reference", number: piece.note, children: [{ text, ...marks }] });
  } else if (piece.link !== undefined && !isLink) {
    nodes.push({ type: "a", url: safeAddress(piece.link), children: [{ text, ...marks }] });
  } else if (piece.only || piece.isBreak) {
    nodes.push({ text, ...marks, ...(piece.only && { [piece.only]: true }) });
  } else if (text === "") return;
  else if (last && haveSameMarks(last, marks)) {
    last.text += text;
    return;
  } else {
    const leaf: TextLeaf = { text, ...marks };
    nodes.push(leaf);
    list.last = leaf;
    return;
  }
  list.last = undefined;
}

/** Returns the text of a piece. For a run, only delimiters without a partner are shown. */
function shownText({ text, run }: Piece): string {
  return run ? text.slice(0, run.size) : text;
}

function marksOf(counts: ReadonlyMap<SignedMark, number>): Marks {
  const marks: { [name in SignedMark]?: true } = {};
  for (const mark of signedMarks) if ((counts.get(mark) ?? 0) > 0) marks[mark] = true;
  return marks;
}

function haveSameMarks(leaf: TextLeaf, marks: Marks): boolean {
  return signedMarks.every((mark) => leaf[mark] === marks[mark]);
}

/** Converts addresses in the text of a leaf to links. */
function withLinks(node: RichNode): RichNode[] {
  if (isElement(node) || node.code || node.math) return [node];
  const { text, ...marks } = node;
  return withAddresses(text).map((part) =>
    typeof part === "string"
      ? { ...marks, text: part }
      : { type: "a", url: part.url, children: [{ ...marks, text: part.text }] },
  );
}
