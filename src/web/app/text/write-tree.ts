import type { Mark, Node } from "prosemirror-model";
import { isObject, readBlock, readItem, readLine } from "./read-tree.ts";
import { textSchema } from "./schema.ts";

type JsonObject = { readonly [key: string]: unknown };

const { nodes } = textSchema;

/** Converts a document to stored nodes. Unchanged blocks keep their original nodes. */
export function writeTree(doc: Node): readonly unknown[] {
  const [only] = doc.children;
  if (doc.attrs["wasEmpty"] === true && doc.childCount === 1 && only && isBlank(only)) return [];
  const written = new Set<unknown>();
  return doc.children.map((block) => writeBlock(block, written));
}

function isBlank({ type, childCount, attrs }: Node): boolean {
  return type === nodes.paragraph && childCount === 0 && attrs["source"] === null;
}

/**
 * Returns the original node, unless it was already written. If a block was split, only its first half keeps the
 * original node.
 */
function sourceOf({ attrs }: Node, written: Set<unknown>): { readonly value: unknown } | undefined {
  const source: { readonly value: unknown } | null = attrs["source"];
  if (source === null || written.has(source)) return undefined;
  written.add(source);
  return source;
}

function writeBlock(block: Node, written: Set<unknown>): unknown {
  const source = sourceOf(block, written);
  if (source && readBlock(source.value).eq(block)) return source.value;
  const kept = restOf(source?.value);
  switch (block.type) {
    case nodes.ul:
    case nodes.ol:
      return { ...kept, type: block.type.name, children: block.children.map((item) => writeItem(item, written)) };
    case nodes.paragraph: {
      const type = String(block.attrs["type"]);
      return { ...kept, type: type === "lic" ? "p" : type, children: writeInline(block) };
    }
    default:
      // Unknown nodes are copied unchanged.
      return block.attrs["source"].value;
  }
}

function writeItem(item: Node, written: Set<unknown>): unknown {
  const source = sourceOf(item, written);
  if (source && readItem(source.value)?.eq(item)) return source.value;
  const [line, ...lists] = item.children;
  const first = line && writeLine(line, written, isObject(source?.value) ? source.value["children"] : undefined);
  return { ...restOf(source?.value), type: "li", children: [first, ...lists.map((list) => writeBlock(list, written))] };
}

/** Converts the line of a list item. Its type is `lic`, or `p` if it was `p` before. */
function writeLine(line: Node, written: Set<unknown>, siblings: unknown): unknown {
  const source = sourceOf(line, written);
  const stood = Array.isArray(siblings) && siblings[0] === source?.value;
  if (source && stood && readLine(source.value)?.eq(line)) return source.value;
  const type = stood && isObject(source?.value) && source.value["type"] === "p" ? "p" : "lic";
  return { ...restOf(source?.value), type, children: writeInline(line) };
}

/** Returns the additional members of a stored element. */
function restOf(stored: unknown): JsonObject {
  if (!isObject(stored) || typeof stored["text"] === "string") return {};
  const { type: _, children: __, ...rest } = stored;
  return rest;
}

type Leaf = { readonly text: string; readonly marks: readonly Mark[] };

/** Converts the content of a line or a link to leaves. The result contains at least one leaf. */
function writeInline(line: Node): readonly unknown[] {
  const children: unknown[] = [];
  let link: { readonly mark: Mark; readonly leaves: Leaf[] } | undefined;
  let leaves: Leaf[] = [];
  const end = () => {
    children.push(...leaves.map(writeLeaf));
    leaves = [];
    if (link)
      children.push({
        ...link.mark.attrs["rest"],
        type: "a",
        url: String(link.mark.attrs["url"]),
        children: link.leaves.map(writeLeaf),
      });
    link = undefined;
  };
  for (const node of line.children) {
    if (node.type === nodes.unknownInline) {
      end();
      children.push(node.attrs["source"].value);
      continue;
    }
    const mark = node.marks.find(({ type }) => type.name === "link");
    if (mark && !link?.mark.eq(mark)) {
      end();
      link = { mark, leaves: [] };
    } else if (!mark && link) end();
    const leaf = { text: textOf(node), marks: node.marks.filter(({ type }) => type.name !== "link") };
    addLeaf(mark && link ? link.leaves : leaves, leaf);
  }
  end();
  return children.length > 0 ? children : [{ text: "" }];
}

/** Joins adjacent leaves with the same marks. */
function addLeaf(leaves: Leaf[], leaf: Leaf): void {
  const last = leaves.at(-1);
  const isSame =
    last && last.marks.length === leaf.marks.length && last.marks.every((mark) => mark.isInSet(leaf.marks));
  if (isSame) leaves[leaves.length - 1] = { ...last, text: last.text + leaf.text };
  else leaves.push(leaf);
}

function textOf(node: Node): string {
  if (node.type === nodes.lineBreak) return "\n";
  return node.type === nodes.chip ? String(node.attrs["text"]) : (node.text ?? "");
}

function writeLeaf({ text, marks }: Leaf): JsonObject {
  const rest: unknown = marks.find(({ type }) => type.name === "rest")?.attrs["properties"];
  return {
    ...(isObject(rest) ? rest : {}),
    text,
    ...Object.fromEntries(marks.flatMap(({ type }) => (type.name === "rest" ? [] : [[type.name, true]]))),
  };
}
