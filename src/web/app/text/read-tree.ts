import { Fragment, type Mark, type Node } from "prosemirror-model";
import { findVariables, inlineCodes } from "../../../core/interpreter/language/template-scan.ts";
import { formats, isFormat } from "./marks.ts";
import { textSchema } from "./schema.ts";

type JsonObject = { readonly [key: string]: unknown };

/** A stored node of any type, including null, wrapped for use in an attribute. */
export type Source = { readonly value: unknown };

const { nodes, marks } = textSchema;

/** Converts a stored text to a document. A text without nodes becomes an empty document. */
export function readTree(tree: readonly unknown[]): Node {
  if (tree.length === 0) return nodes.doc.create({ wasEmpty: true }, nodes.paragraph.create());
  return nodes.doc.create(null, tree.map(readBlock));
}

/** Converts a stored node to a block. A node that the schema does not support becomes an unknown block. */
export function readBlock(stored: unknown): Node {
  const source: Source = { value: stored };
  const unknown = () => nodes.unknownBlock.create({ source });
  if (!isObject(stored)) return unknown();
  if (isLeaf(stored)) return textBlock("p", [stored], source) ?? unknown();
  const { type, children } = stored;
  if (!Array.isArray(children)) return unknown();
  if (type === "ul" || type === "ol") return readList(type, children, source) ?? unknown();
  return (typeof type === "string" && textTypes.has(type) && textBlock(type, children, source)) || unknown();
}

/** The types of nodes that contain only text and links. */
const textTypes = new Set(["p", "h1", "h2", "h3", "h4", "h5", "h6"]);

function textBlock(type: string, children: readonly unknown[], source: Source): Node | undefined {
  const inline = readInline(children);
  return inline && nodes.paragraph.create({ source, type }, inline);
}

function readList(type: "ul" | "ol", children: readonly unknown[], source: Source): Node | undefined {
  const items = children.map(readItem);
  if (items.length === 0 || items.some((item) => !item)) return undefined;
  return nodes[type].create({ source }, Fragment.from(items.filter((item) => item !== undefined)));
}

/**
 * Converts a list item with its line and the nodes below it, which are usually nested lists. Undefined if the schema
 * does not support the item.
 */
export function readItem(stored: unknown): Node | undefined {
  if (!isObject(stored) || stored["type"] !== "li" || !Array.isArray(stored["children"])) return undefined;
  const [line, ...below] = stored["children"];
  const first = readLine(line);
  return first && nodes.li.create({ source: { value: stored } }, [first, ...below.map(readBlock)]);
}

const lineTypes = new Set(["lic", "p"]);

/** Converts the line of a list item. Undefined if the schema does not support the line. */
export function readLine(stored: unknown): Node | undefined {
  if (!isObject(stored) || !Array.isArray(stored["children"]) || !lineTypes.has(String(stored["type"])))
    return undefined;
  return textBlock(String(stored["type"]), stored["children"], { value: stored });
}

/** Converts leaves and links. Other inline nodes are preserved as unknown nodes. */
function readInline(children: readonly unknown[]): Node[] | undefined {
  return children.flatMap((child) => {
    if (isObject(child) && isLeaf(child)) return readLeaf(child, []);
    return (isObject(child) && readLink(child)) || [nodes.unknownInline.create({ source: { value: child } })];
  });
}

function readLink({ type, url, children, ...rest }: JsonObject): Node[] | undefined {
  if (type !== "a" || typeof url !== "string" || !Array.isArray(children)) return undefined;
  const link = marks.link.create({ url, rest: Object.keys(rest).length > 0 ? rest : null });
  const leaves: readonly unknown[] = children;
  if (!leaves.every((leaf) => isObject(leaf) && isLeaf(leaf))) return undefined;
  const inside = leaves.flatMap((leaf) => (isObject(leaf) ? readLeaf(leaf, [link]) : []));
  // A link without text would be invisible.
  return inside.length > 0 ? inside : undefined;
}

function readLeaf({ text, ...members }: JsonObject, around: readonly Mark[]): Node[] {
  const others = Object.entries(members).filter(([name, value]) => !(isFormat(name) && value === true));
  const leafMarks = [
    ...around,
    ...formats.filter((name) => members[name] === true).map((name) => marks[name].create()),
    ...(others.length > 0 ? [marks.rest.create({ properties: Object.fromEntries(others) })] : []),
  ];
  return textNodes(typeof text === "string" ? text : "", leafMarks);
}

/** Converts a text. Variables and inline codes become chips, and line breaks are preserved. */
export function textNodes(text: string, textMarks: readonly Mark[]): Node[] {
  const made: Node[] = [];
  const write = (part: string) => {
    for (const [index, line] of part.split("\n").entries()) {
      if (index > 0) made.push(nodes.lineBreak.create(null, null, textMarks));
      if (line !== "") made.push(textSchema.text(line, textMarks));
    }
  };
  let from = 0;
  for (const { start, end } of spansOf(text)) {
    write(text.slice(from, start));
    made.push(nodes.chip.create({ text: text.slice(start, end) }, null, textMarks));
    from = end;
  }
  write(text.slice(from));
  return made;
}

/** Returns the ranges of inline codes and variables in a text, from left to right. */
function spansOf(text: string): readonly { readonly start: number; readonly end: number }[] {
  if (!text.includes("{{")) return [];
  const codes = inlineCodes(text);
  const variables = findVariables(text).filter(
    ({ start, end }) => !codes.some((code) => start < code.end && end > code.start),
  );
  return [...codes, ...variables].sort((a, b) => a.start - b.start);
}

function isLeaf(stored: JsonObject): boolean {
  return typeof stored["text"] === "string" && !Array.isArray(stored["children"]);
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
